internal import BusMethods
internal import EventLoop
internal import NowPlaying

/// Encodes the offered commands. Each command is a dictionary that also contains its parameters.
enum OfferCoding {
  /// The maximum number of commands that are sent or read. Fewer kinds of commands exist.
  static let limit = 64
  /// The maximum number of intervals, rates or languages of one command. No user has to choose from more.
  private static let choices = 64

  static func value(of offer: CommandOffer) -> BusValue {
    var fields = WireBuilder()
    fields.add("command", .string(offer.kind.rawValue))
    fields.add("isEnabled", .boolean(offer.isEnabled))
    switch offer.parameters {
    case .none: break
    case .intervals(let intervals):
      fields.add("intervals", .times(Array(intervals.prefix(choices))))
    case .rates(let rates):
      fields.add("rates", .array(of: "d", rates.prefix(choices).map { .double($0) }))
    case .repeatMode(let mode, let supported):
      fields.add("repeatMode", .string(mode.rawValue))
      fields.add("supported", .strings(supported.map(\.rawValue)))
    case .shuffleMode(let mode, let supported):
      fields.add("shuffleMode", .string(mode.rawValue))
      fields.add("supported", .strings(supported.map(\.rawValue)))
    case .rating(let maximum, let current):
      fields.add("maximum", .double(maximum))
      fields.add("current", current.map { .double($0) })
    case .feedback(let isActive, let title):
      fields.add("isActive", .boolean(isActive))
      fields.add("title", title.map(WireText.line))
    case .languages(let options, let enabled):
      fields.add(
        "options",
        .array(
          of: "(ssss)",
          options.prefix(choices).map { option in
            .structure([
              WireText.word(option.id), .string(option.kind.rawValue),
              WireText.word(option.language.description), WireText.word(option.name),
            ])
          }))
      fields.add("enabled", .array(of: "s", enabled.prefix(choices).map(WireText.word)))
    }
    return fields.value
  }

  static func offers(_ outer: WireFields) throws(WireError) -> [CommandOffer] {
    var offers: [CommandOffer] = []
    for fields in try outer.list("commands", limit: limit) {
      let word = try fields.required("command", fields.text("command"))
      // A newer daemon can offer a command that this client does not know. The client cannot send it, so it is skipped.
      guard let kind = CommandKind(rawValue: word) else { continue }
      offers.append(
        CommandOffer(
          kind, isEnabled: try fields.flag("isEnabled") ?? true, parameters: try parameters(fields))
      )
    }
    return offers
  }

  /// Decodes the offers of a source. Each command needs parameters of its kind, and is offered once.
  static func published(_ outer: WireFields) throws(WireError) -> [CommandOffer] {
    let offers = try offers(outer)
    var known: Set<CommandKind> = []
    var result: [CommandOffer] = []
    for offer in offers {
      let path = "\(outer.path(of: "commands")).\(offer.kind.rawValue)"
      guard known.insert(offer.kind).inserted else {
        throw WireError(path, "the command is offered twice")
      }
      guard let parameters = complete(offer) else {
        throw WireError(path, "the parameters are missing, or are not those of this command")
      }
      result.append(CommandOffer(offer.kind, isEnabled: offer.isEnabled, parameters: parameters))
    }
    return result
  }

  /// The parameters that a source must give with a command. Nil if they are missing or not possible.
  private static func complete(_ offer: CommandOffer) -> CommandOffer.Parameters? {
    let parameters = offer.parameters
    switch (offer.kind, parameters) {
    case (.skipForward, .none), (.skipBackward, .none): return .intervals([])
    case (.skipForward, .intervals(let intervals)), (.skipBackward, .intervals(let intervals)):
      return intervals.allSatisfy { $0 > .zero } ? parameters : nil
    case (.changePlaybackRate, .rates(let rates)):
      return !rates.isEmpty && rates.allSatisfy { $0 > 0 && $0 <= 100 } ? parameters : nil
    case (.changeRepeatMode, .repeatMode(let mode, let supported)):
      return supported.isEmpty
        ? .repeatMode(mode, supported: MediaCommand.RepeatMode.allCases) : parameters
    case (.changeShuffleMode, .shuffleMode(let mode, let supported)):
      return supported.isEmpty
        ? .shuffleMode(mode, supported: MediaCommand.ShuffleMode.allCases) : parameters
    case (.stars, .none): return .rating(maximum: 5, current: nil)
    case (.stars, .rating(let maximum, let current)):
      return maximum >= 1 && maximum <= 10 && 0...maximum ~= current ?? 0 ? parameters : nil
    case (.like, .none), (.dislike, .none), (.bookmark, .none):
      return .feedback(isActive: false, title: nil)
    case (.like, .feedback), (.dislike, .feedback), (.bookmark, .feedback),
      (.enableLanguageOption, .languages), (.disableLanguageOption, .languages):
      return parameters
    case (.skipForward, _), (.skipBackward, _), (.changePlaybackRate, _), (.changeRepeatMode, _),
      (.changeShuffleMode, _), (.stars, _), (.like, _), (.dislike, _), (.bookmark, _),
      (.enableLanguageOption, _), (.disableLanguageOption, _):
      return nil
    default: return CommandOffer.Parameters.none
    }
  }

  private static func parameters(_ fields: WireFields) throws(WireError) -> CommandOffer.Parameters
  {
    if let intervals = try fields.durations("intervals") {
      return .intervals(Array(intervals.prefix(choices)))
    }
    if let rates = try fields.numbers("rates") { return .rates(Array(rates.prefix(choices))) }
    let supported = try fields.texts("supported") ?? []
    if let mode = try fields.text("repeatMode") {
      return .repeatMode(
        MediaCommand.RepeatMode(rawValue: mode) ?? .off,
        supported: supported.prefix(choices).compactMap(MediaCommand.RepeatMode.init))
    }
    if let mode = try fields.text("shuffleMode") {
      return .shuffleMode(
        MediaCommand.ShuffleMode(rawValue: mode) ?? .off,
        supported: supported.prefix(choices).compactMap(MediaCommand.ShuffleMode.init))
    }
    if let maximum = try fields.number("maximum") {
      return .rating(maximum: maximum, current: try fields.number("current"))
    }
    if let isActive = try fields.flag("isActive") {
      return .feedback(isActive: isActive, title: try fields.text("title"))
    }
    if let options = try fields.elements("options") {
      var known: [LanguageOption] = []
      for element in options.prefix(choices) {
        if let option = try option(element, fields.path(of: "options")) { known.append(option) }
      }
      return .languages(known, enabled: Array((try fields.texts("enabled") ?? []).prefix(choices)))
    }
    return .none
  }

  private static func option(_ element: BusValue, _ path: String) throws(WireError)
    -> LanguageOption?
  {
    guard let texts = element.texts, texts.count >= 4 else {
      throw WireError(path, "expected (ssss), found \(element.signature)", .wrongType)
    }
    guard let kind = LanguageOption.Kind(rawValue: texts[1]) else { return nil }
    return LanguageOption(id: texts[0], kind: kind, language: LanguageTag(texts[2]), name: texts[3])
  }
}
