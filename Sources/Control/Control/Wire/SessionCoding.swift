internal import BusMethods
internal import EventLoop
internal import NowPlaying

/// Encodes what an app publishes. The values have the same form as in the state (``StateCoding``).
enum SessionCoding {
  // MARK: Opening a session

  static func options(of opening: SessionOpening) -> BusValue {
    var fields = WireBuilder()
    fields.add("name", opening.name.map(WireText.word))
    var audio = audioWords.filter { opening.audio.contains($0.option) }.map(\.word)
    if opening.isSpoken { audio.append(spoken) }
    fields.add("audio", .strings(audio))
    fields.add("resumes", .boolean(opening.resumes))
    fields.add("template", TemplateCoding.value(of: opening.template))
    return fields.value
  }

  static func read(_ options: BusValue, into opening: inout SessionOpening) throws(WireError) {
    let fields = try WireFields(options, "options")
    opening.name = try fields.name("name")
    for word in try fields.texts("audio") ?? [] {
      if word == spoken {
        opening.isSpoken = true
      } else if let option = audioWords.first(where: { $0.word == word })?.option {
        opening.audio.insert(option)
      } else {
        throw fields.unknown("audio", word)
      }
    }
    opening.resumes = try fields.flag("resumes") ?? false
    if let template = try fields.fields("template") {
      opening.template = try TemplateCoding.published(template)
    }
  }

  private static let spoken = "spoken"
  private static let audioWords: [(word: String, option: AudioSession.Options)] = [
    ("mixWithOthers", .mixWithOthers), ("duckOthers", .duckOthers),
  ]

  /// The version of the interfaces `Session1` and `Sound1`. It grows with each new method, signal and field.
  static let version: UInt32 = 1

  static func value(of welcome: SessionWelcome) -> BusValue {
    var fields = WireBuilder()
    fields.add("version", .uint32(version))
    fields.add("language", WireText.word(welcome.language.description))
    fields.add("screen", .boolean(welcome.hasScreen))
    fields.add("played", .boolean(welcome.hasPlayed))
    let limits = AppLimits.standard
    fields.add(
      "limits",
      .properties(
        [
          ("sessions", limits.sessions), ("streams", limits.streams),
          ("publishesPerSecond", limits.changesPerSecond), ("publishBurst", limits.changeBurst),
          ("messageBytes", limits.messageBytes), ("pictures", limits.pictures),
          ("pictureBytes", ButtonPicture.limit),
        ].map { ($0, .uint32(UInt32(clamping: $1))) }))
    return fields.value
  }

  static func welcome(_ value: BusValue) throws(WireError) -> SessionWelcome {
    let fields = try WireFields(value, "unit")
    return SessionWelcome(
      language: LanguageTag(try fields.text("language") ?? ""),
      hasScreen: try fields.flag("screen") ?? false,
      hasPlayed: try fields.flag("played") ?? false)
  }

  // MARK: Publishing

  static func value(of publication: SessionPublication) -> BusValue {
    var fields = WireBuilder()
    fields.add(
      "content", publication.content.map { ContentCoding.value(of: $0, for: .undefined) })
    switch publication.playback {
    case .snapshot(let snapshot): fields.add("playback", snapshot.map(PlaybackCoding.value))
    case .streams(let state, let players, let leader):
      fields.add("playback", PlaybackCoding.value(of: state))
      fields.add("players", .array(of: "t", players.map { .count($0) }))
      fields.add("leader", .count(leader))
    }
    fields.add(
      "commands", .list(publication.commands.prefix(OfferCoding.limit).map(OfferCoding.value)))
    fields.add(
      "upNext",
      .list(publication.upNext.prefix(NowPlayingState.upNextLimit).map { StateCoding.item($0) }))
    fields.add("isSelfPublished", .boolean(publication.isSelfPublished))
    fields.add("condition", value(of: publication.condition))
    return fields.value
  }

  static func publication(_ value: BusValue) throws(WireError) -> SessionPublication {
    let fields = try WireFields(value, "")
    var publication = SessionPublication()
    publication.content = try content(fields)
    publication.playback = try playback(fields)
    publication.commands = try OfferCoding.published(fields)
    publication.upNext = try StateCoding.upNext(fields)
    publication.isSelfPublished = try fields.flag("isSelfPublished") ?? false
    publication.condition = try condition(fields)
    return publication
  }

  /// The content with the key `content`. An identity that clients would not get whole is an error.
  static func content(_ fields: WireFields) throws(WireError) -> MediaContent? {
    guard let content = try ContentCoding.content(fields) else { return nil }
    guard content.id.utf8.count <= WireText.identity,
      (content.artwork?.id.utf8.count ?? 0) <= WireText.identity
    else {
      throw WireError(
        fields.path(of: "content"), "an identity has more than \(WireText.identity) bytes")
    }
    return content
  }

  private static func playback(_ fields: WireFields) throws(WireError)
    -> SessionPublication.Playback
  {
    let streams = try fields.numbers("players", single: "stream")
    guard let first = streams.first else {
      // A snapshot without a timestamp gets the latest possible timestamp, which the server replaces with *now*.
      let latest = MonotonicInstant(
        awake: .nanoseconds(Int64.max), suspended: .nanoseconds(Int64.max))
      let snapshot = try PlaybackCoding.snapshot(fields, otherwise: latest)
      if let snapshot, !isPlausible(snapshot.rate) || !isPlausible(snapshot.defaultPlaybackRate) {
        throw WireError(fields.path(of: "playback.rate"), rateProblem)
      }
      return .snapshot(snapshot)
    }
    let leader = try fields.integer("leader") ?? first
    guard streams.contains(leader) else {
      throw WireError(fields.path(of: "leader"), "\(leader) is not one of the players")
    }
    let playback = try fields.required("playback", fields.fields("playback"))
    let state = try PlaybackCoding.state(playback)
    if case .playing(let rate) = state, !isPlausible(rate) {
      throw WireError(playback.path(of: "rate"), rateProblem)
    }
    return .streams(state, players: streams, leader: leader)
  }

  private static let fastest = 100.0
  private static let rateProblem = "expected a rate of at most \(fastest)"

  private static func isPlausible(_ rate: Double) -> Bool { rate.magnitude <= fastest }

  private static func value(of condition: SessionPublication.Condition) -> BusValue {
    var fields = WireBuilder()
    func explain(_ explanation: SessionPublication.Explanation) {
      fields.add("sentence", WireText.line(explanation.sentence))
      fields.add("remedy", explanation.remedy.map(WireText.line))
    }
    switch condition {
    case .ready: fields.add("kind", .string("ready"))
    case .waiting(let explanation):
      fields.add("kind", .string("waiting"))
      explain(explanation)
    case .failed(let explanation):
      fields.add("kind", .string("failed"))
      explain(explanation)
    }
    return fields.value
  }

  private static func condition(_ outer: WireFields) throws(WireError)
    -> SessionPublication.Condition
  {
    guard let fields = try outer.fields("condition") else { return .ready }
    func explanation() throws(WireError) -> SessionPublication.Explanation {
      let sentence = try fields.required("sentence", fields.text("sentence"))
      return .init(
        WireText.lineText(sentence), remedy: try fields.text("remedy").map(WireText.lineText))
    }
    let word = try fields.required("kind", fields.text("kind"))
    switch word {
    case "ready": return .ready
    case "waiting": return .waiting(try explanation())
    case "failed": return .failed(try explanation())
    default: throw fields.unknown("kind", word)
    }
  }

  // MARK: Sound

  static func value(of format: SoundFormat) -> BusValue {
    .properties([
      "kind": .string(format.kind.rawValue), "rate": .uint32(UInt32(clamping: format.rate)),
      "channels": .uint32(UInt32(clamping: format.channels)),
      "format": .string(format.samples.rawValue),
    ])
  }

  static func format(_ value: BusValue) throws(WireError) -> SoundFormat {
    let fields = try WireFields(value, "format")
    func number(_ name: String, _ range: ClosedRange<Int>) throws(WireError) -> Int {
      let number = try fields.required(name, fields.integer(name))
      guard range.contains(number) else {
        throw WireError(
          fields.path(of: name), "expected \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
    return SoundFormat(
      try fields.choice("kind"), rate: try number("rate", SoundFormat.rates),
      channels: try number("channels", SoundFormat.channelCounts),
      samples: try fields.choice("format"))
  }

  static func value(of mark: SoundMark) -> BusValue {
    var fields = WireBuilder()
    fields.add("content", mark.content.map { ContentCoding.value(of: $0, for: .undefined) })
    fields.add("time", .time(mark.time))
    fields.add("rate", .double(mark.rate))
    fields.add("defaultRate", .double(mark.defaultRate))
    return fields.value
  }

  static func mark(_ value: BusValue, frame: Int) throws(WireError) -> SoundMark {
    let fields = try WireFields(value, "mark")
    func rate(_ name: String) throws(WireError) -> Double {
      let rate = try fields.number(name) ?? 1
      guard rate > 0, isPlausible(rate) else {
        throw WireError(fields.path(of: name), "\(rateProblem), and above 0")
      }
      return rate
    }
    return SoundMark(
      frame: frame, content: try content(fields),
      time: max(.zero, try fields.required("time", fields.duration("time"))),
      rate: try rate("rate"), defaultRate: try rate("defaultRate"))
  }

  // MARK: What the unit tells an app

  private static func add(_ hold: SessionHold, to fields: inout WireBuilder) {
    switch hold {
    case .audioSessionInactive: fields.add("hold", .string("audioSessionInactive"))
    case .interruption(let reason):
      fields.add("hold", .string("interruption"))
      fields.add("interruption", WireText.word(reason.description))
    case .outputLost: fields.add("hold", .string("outputLost"))
    case .silenced: fields.add("hold", .string("silenced"))
    case .takenOver: fields.add("hold", .string("takenOver"))
    }
  }

  private static func hold(_ fields: WireFields) throws(WireError) -> SessionHold? {
    guard let word = try fields.text("hold") else { return nil }
    switch word {
    case "audioSessionInactive": return .audioSessionInactive
    case "interruption":
      return .interruption(.init(try fields.text("interruption") ?? "interruption"))
    case "outputLost": return .outputLost
    case "silenced": return .silenced
    // An app must be silent also for a reason that it does not know.
    default: return .takenOver
    }
  }

  static func values(of instruction: AppInstruction?) -> (kind: String, details: BusValue) {
    var fields = WireBuilder()
    func add(_ ducking: Ducking) {
      fields.add("decibels", .double(ducking.decibels))
      fields.add("down", .time(ducking.down))
      fields.add("up", .time(ducking.up))
    }
    let kind: String
    switch instruction {
    case .pause(let hold):
      kind = "pause"
      self.add(hold, to: &fields)
    case .resume: kind = "resume"
    case .duck(let ducking):
      kind = "duck"
      add(ducking)
    case .unduck(let ducking):
      kind = "unduck"
      add(ducking)
    case nil: kind = ""
    }
    return (kind, fields.value)
  }

  /// Nil for a kind of instruction that this program does not know.
  static func instruction(_ kind: String, _ details: BusValue) throws(WireError)
    -> AppInstruction?
  {
    let fields = try WireFields(details, "details")
    func ducking() throws(WireError) -> Ducking {
      let usual = Ducking()
      return Ducking(
        decibels: try fields.number("decibels") ?? usual.decibels,
        down: try fields.duration("down") ?? usual.down, up: try fields.duration("up") ?? usual.up)
    }
    switch kind {
    case "pause": return .pause(try fields.required("hold", hold(fields)))
    case "resume": return .resume
    case "duck": return .duck(try ducking())
    case "unduck": return .unduck(try ducking())
    default: return nil
    }
  }

  static func value(of status: SessionStatus) -> BusValue {
    var fields = WireBuilder()
    fields.add("isPrimary", .boolean(status.isPrimary))
    if let hold = status.hold { add(hold, to: &fields) }
    fields.add("missing", .strings(status.missing.map(\.rawValue)))
    fields.add("language", WireText.word(status.language.description))
    return fields.value
  }

  static func status(_ value: BusValue) throws(WireError) -> SessionStatus {
    let fields = try WireFields(value, "status")
    return SessionStatus(
      isPrimary: try fields.flag("isPrimary") ?? false, hold: try hold(fields),
      missing: missing(try fields.texts("missing") ?? []),
      language: LanguageTag(try fields.text("language") ?? ""))
  }

  static func missing(_ words: [String]) -> [MissingPart] {
    words.compactMap { MissingPart(rawValue: $0) }
  }

  static func value(of screen: ConnectedScreen) -> BusValue {
    .properties([
      "name": WireText.word(screen.name),
      "maximumButtons": .uint32(UInt32(clamping: NowPlayingTemplate.maximumButtons)),
    ])
  }

  static func screen(_ value: BusValue, number: Int) throws(WireError) -> ConnectedScreen {
    ConnectedScreen(
      number: number, name: try WireFields(value, "surface").text("name") ?? "")
  }
}

extension WireFields {
  /// A short name. A longer name is truncated.
  fileprivate func name(_ name: String) throws(WireError) -> String? {
    try text(name).map { BusText.harmless($0, limit: WireText.word) }
  }

  /// The distinct numbers of an array, or the single number with another name. Empty if both are absent.
  fileprivate func numbers(_ name: String, single: String) throws(WireError) -> [Int] {
    if let number = try integer(single) { return [number] }
    guard let elements = try elements(name) else { return [] }
    let numbers = elements.compactMap(\.integer)
    let most = SessionPublication.maximumPlayers
    guard numbers.count == elements.count, 1...most ~= numbers.count,
      Set(numbers).count == numbers.count
    else { throw WireError(path(of: name), "expected 1 to \(most) different numbers") }
    return numbers
  }
}
