internal import BusMethods
internal import EventLoop
internal import NowPlaying
internal import Reports

/// Encodes an entry of the trace as an `a{sv}`. Times are in nanoseconds. `at` is from the machine's monotonic clock.
/// The times whose names end in `After` count from the arrival of the command.
enum TraceCoding {
  private static let reasonLimit = 32

  static func value(of entry: TraceEntry) -> BusValue {
    var fields = WireBuilder()
    switch entry {
    case .command(let command):
      fields.add("kind", .string("command"))
      fields.add("number", .count(command.number))
      fields.add("surface", WireText.word(command.surface))
      fields.add("origin", command.origin.map(WireText.word))
      fields.add("inputPath", WireText.word(command.inputPath))
      // Programs for version 0.1 read the field `inputPath` by the name `road`.
      fields.add("road", WireText.word(command.inputPath))
      fields.add("request", WireText.line(command.request))
      fields.add("verdict", command.verdict.map(WireText.line))
      fields.add("answer", command.answer.map(WireText.line))
      fields.add("code", command.code.map { .string($0.rawValue) })
      fields.add("at", .time(command.at))
      fields.add("answeredAfter", command.answeredAfter.map { .time($0) })
      fields.add("heardAfter", command.heardAfter.map { .time($0) })
    case .publication(let revision, let reasons, let at):
      fields.add("kind", .string("publication"))
      fields.add("revision", .count(revision))
      let words = BusValue.array(of: "s", reasons.prefix(reasonLimit).map(WireText.word))
      fields.add("reasons", words)
      // Programs for version 0.1 read the field `reasons` by the name `moments`.
      fields.add("moments", words)
      fields.add("at", .time(at))
    case .key(let text, let at):
      fields.add("kind", .string("key"))
      fields.add("text", WireText.line(text))
      fields.add("at", .time(at))
    case .sink(let text, let at):
      fields.add("kind", .string("sink"))
      fields.add("text", WireText.line(text))
      fields.add("at", .time(at))
    }
    return fields.value
  }

  /// Decodes an entry. Nil if the kind of entry is unknown. A newer daemon can send such an entry.
  static func entry(_ value: BusValue) throws(WireError) -> TraceEntry? {
    let fields = try WireFields(value, "trace")
    func text(_ name: String) throws(WireError) -> String {
      try fields.required(name, fields.text(name))
    }
    let at = try fields.duration("at") ?? .zero
    switch try text("kind") {
    case "command":
      return .command(
        TraceEntry.Command(
          number: try fields.required("number", fields.integer("number")),
          surface: try text("surface"), origin: try fields.text("origin"),
          inputPath: try text(fields.has("inputPath") ? "inputPath" : "road"),
          request: try text("request"),
          verdict: try fields.text("verdict"), answer: try fields.text("answer"),
          code: try fields.text("code").flatMap { Refusal.Code(rawValue: $0) }, at: at,
          answeredAfter: try fields.duration("answeredAfter"),
          heardAfter: try fields.duration("heardAfter")))
    case "publication":
      return .publication(
        revision: try fields.integer("revision") ?? 0,
        reasons: try fields.texts(fields.has("reasons") ? "reasons" : "moments") ?? [], at: at)
    case "key": return .key(try text("text"), at: at)
    case "sink": return .sink(try text("text"), at: at)
    default: return nil
    }
  }
}
