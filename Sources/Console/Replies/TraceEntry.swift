package import JSON
package import NowPlaying

/// One thing that happened, for `trace`.
package enum TraceEntry: Hashable, Sendable {
  /// What became of a command, as far as is known.
  case command(Command)
  /// A state was published.
  case publication(revision: Int, moments: [String], at: Duration)
  /// Something about the sound, in words.
  case sink(String, at: Duration)

  /// A command. All times but the first count from when it came.
  package struct Command: Hashable, Sendable {
    package var number: Int
    package var surface: String
    package var road: String
    /// What was asked, with what goes with it.
    package var request: String
    /// In words; nil where none was reached yet.
    package var verdict: String?
    package var answer: String?
    /// When it came, on the machine's clock.
    package var at: Duration
    package var answeredAfter: Duration?
    package var heardAfter: Duration?

    /// See the fields.
    package init(
      number: Int, surface: String, road: String, request: String, verdict: String? = nil,
      answer: String? = nil, at: Duration, answeredAfter: Duration? = nil,
      heardAfter: Duration? = nil
    ) {
      self.number = number
      self.surface = surface
      self.road = road
      self.request = request
      self.verdict = verdict
      self.answer = answer
      self.at = at
      self.answeredAfter = answeredAfter
      self.heardAfter = heardAfter
    }

    /// From the trace of NowPlaying.
    package init(_ record: CommandRecord) {
      let verdict: String? =
        switch record.verdict {
        case nil: nil
        case .accepted(let session): "accepted by \(session?.rawValue ?? "head unit")"
        case .alreadySo: "already so"
        case .keptForLater: "kept for later"
        case .merged(let other): "same press as #\(other)"
        case .refused(let refusal): "refused: \(refusal)"
        }
      self.init(
        number: record.number, surface: record.surface.rawValue, road: record.road.description,
        request: record.request.description, verdict: verdict,
        answer: record.answer?.description, at: record.received.sinceOrigin,
        answeredAfter: record.performed?.wholeTime(since: record.received),
        heardAfter: record.heard?.wholeTime(since: record.received))
    }
  }

  /// One line, with the time on the machine's clock in front.
  package func line(_ style: ReplyStyle) -> String {
    switch self {
    case .command(let command):
      var parts = ["#\(command.number) \(command.surface)/\(command.road) \(command.request)"]
      if let verdict = command.verdict { parts.append(verdict) }
      if let answer = command.answer {
        parts.append(answer + (command.answeredAfter.map { " after \(Self.text($0))" } ?? ""))
      }
      if let heard = command.heardAfter { parts.append("heard after \(Self.text(heard))") }
      return "\(Self.clock(command.at)) \(style.harmless(parts.joined(separator: ", ")))"
    case .publication(let revision, let moments, let at):
      let words = style.harmless(moments.joined(separator: ", "))
      return "\(Self.clock(at)) state \(revision): \(words)"
    case .sink(let words, let at):
      return "\(Self.clock(at)) sound: \(style.harmless(words))"
    }
  }

  /// An object on its own; times in seconds.
  package func write(to json: inout JSONWriter) {
    json.beginObject()
    switch self {
    case .command(let command):
      json.member("kind", "command")
      json.member("at", NowPlayingFacts.seconds(command.at))
      json.member("number", command.number)
      json.member("surface", command.surface)
      json.member("road", command.road)
      json.member("request", command.request)
      json.member("verdict", command.verdict)
      json.member("answer", command.answer)
      json.member("answeredAfter", command.answeredAfter.map(NowPlayingFacts.seconds))
      json.member("heardAfter", command.heardAfter.map(NowPlayingFacts.seconds))
    case .publication(let revision, let moments, let at):
      json.member("kind", "publication")
      json.member("at", NowPlayingFacts.seconds(at))
      json.member("revision", revision)
      json.key("moments")
      json.beginArray()
      for moment in moments { json.value(moment) }
      json.endArray()
    case .sink(let words, let at):
      json.member("kind", "sink")
      json.member("at", NowPlayingFacts.seconds(at))
      json.member("text", words)
    }
    json.endObject()
  }

  /// Seconds with three digits behind the point, as the kernel's log has them.
  private static func clock(_ time: Duration) -> String {
    let milliseconds = Int64((NowPlayingFacts.seconds(time) * 1000).rounded())
    let fraction = String(abs(milliseconds) % 1000)
    let zeros = String(repeating: "0", count: 3 - fraction.count)
    return "[\(milliseconds / 1000).\(zeros)\(fraction)]"
  }

  private static func text(_ time: Duration) -> String {
    "\(Int64((NowPlayingFacts.seconds(time) * 1000).rounded())) ms"
  }
}
