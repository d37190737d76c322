package import NowPlaying
package import Reports
package import Text

/// Formats the state of Now Playing as text and as JSON. No I/O.
package struct NowPlayingFacts {
  private let state: NowPlayingState
  private let now: MonotonicInstant

  /// - Parameter now: the time for which the elapsed time is computed, on the same clock as the state.
  package init(_ state: NowPlayingState, at now: MonotonicInstant) {
    self.state = state
    self.now = now
  }

  /// The first section of `status`. It has as few rows as possible, because `status` must fit on one screen.
  package var summary: FactsReport.Section {
    guard state.session != nil else {
      return .init(
        "Now playing",
        [.init("state", "nothing is playing"), .init("volume", Self.volume(state.volume))])
    }
    var facts: [FactsReport.Fact] = [
      .init(
        "state",
        [Self.text(state.status), time, state.session.map { "from \($0.rawValue)" }]
          .compactMap { $0 }.joined(separator: ", "))
    ]
    if let holds { facts.append(.init("held by", holds)) }
    if let obstacle = state.obstacle { facts.append(.init("waits for", obstacle.description)) }
    facts.append(.init("title", state.lines.title ?? "(none)"))
    let from = [state.lines.subtitle, state.lines.detail].compactMap { $0 }.filter { !$0.isEmpty }
    if !from.isEmpty { facts.append(.init("by", from.joined(separator: " · "))) }
    facts.append(
      .init(
        "volume",
        "\(Self.volume(state.volume)); \(part(.repeatMode)), \(part(.shuffleMode))"))
    facts += state.upNext.prefix(1).map { .init("next", Self.text($0)) }
    return .init("Now playing", facts)
  }

  /// The reply to the command `now`.
  package var section: FactsReport.Section {
    var facts: [FactsReport.Fact] = []
    func add(_ label: String, _ value: String?) {
      if let value, !value.isEmpty { facts.append(.init(label, value)) }
    }
    guard state.session != nil else {
      add("state", "nothing is playing")
      add("volume", Self.volume(state.volume))
      return .init("Now playing", facts)
    }
    add("state", Self.text(state.status))
    add("title", state.lines.title ?? "(none)")
    add("artist", state.lines.subtitle)
    add("album", state.lines.detail)
    add("language", state.content?.metadata.text(.language))
    add("time", time)
    if state.playback.map({ $0.rate != 0 && $0.rate != 1 }) == true { add("rate", rate) }
    add("volume", Self.volume(state.volume))
    add("repeat", state.repeatMode.rawValue)
    add("shuffle", Self.text(state.shuffleMode))
    add("marks", marks)
    add("held by", holds)
    add("waits for", state.obstacle?.description)
    add("source", state.session?.rawValue)
    add("next", state.upNext.first.map(Self.text))
    return .init("Now playing", facts)
  }

  /// The reply to a command that shows one part of the state.
  package func part(_ part: ConsoleCommand.Part) -> String {
    switch part {
    case .volume: "volume \(Self.volume(state.volume))"
    case .rate: "rate \(rate)"
    case .repeatMode: "repeat \(state.repeatMode.rawValue)"
    case .shuffleMode: "shuffle \(Self.text(state.shuffleMode))"
    case .stars: "stars \((stars ?? 0).plain)"
    }
  }

  /// Writes the whole state as an object. Times are in seconds. The volume is in per cent.
  package func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("revision", state.revision)
    json.member("source", state.session?.rawValue)
    json.member("status", state.status.rawValue)
    json.member("title", state.lines.title)
    json.member("artist", state.lines.subtitle)
    json.member("album", state.lines.detail)
    json.member("elapsed", state.elapsed(at: now).map(\.roundedSeconds))
    switch state.duration {
    case .finite(let length)?: json.member("duration", length.roundedSeconds)
    case .live?: json.member("duration", "live")
    case .continuous?: json.member("duration", "continuous")
    case nil: break
    }
    json.member("rate", state.playback?.rate)
    json.member("volume", Double(state.volume.level.thousandths) / 10)
    json.member("isMuted", state.volume.isMuted)
    json.member("repeat", state.repeatMode.rawValue)
    json.member("shuffle", state.shuffleMode.rawValue)
    json.member("stars", stars)
    for (kind, _) in Self.markWords { json.member(kind.rawValue, isSet(kind)) }
    json.key("interruptions")
    json.beginArray()
    for reason in state.interruptions { json.value(reason.description) }
    json.endArray()
    json.member("hold", state.hold.map(Self.word))
    json.member("obstacle", state.obstacle?.sentence)
    json.member("remedy", state.obstacle?.remedy)
    json.key("commands")
    json.beginObject()
    for offer in state.commands { json.member(offer.kind.rawValue, offer.isEnabled) }
    json.endObject()
    json.key("queue")
    json.beginArray()
    for item in state.upNext {
      json.beginObject()
      json.member("id", item.id)
      json.member("title", item.title)
      json.member("artist", item.artist)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  // MARK: Words

  /// What silences the music: the interruptions, and the hold if it is another one. Nil if nothing does.
  private var holds: String? {
    let others: String? =
      switch state.hold {
      case .outputLost: "the output, which cannot be used; see 'diagnose'"
      case .resuming: "the source, which was told to play and does not play yet"
      case .source: "the source itself"
      case .interruption, nil: nil
      }
    let all = state.interruptions.map(\.description) + [others].compactMap { $0 }
    return all.isEmpty ? nil : all.joined(separator: ", ")
  }

  private static let markWords: [(CommandKind, String)] = [
    (.like, "liked"), (.dislike, "disliked"), (.bookmark, "bookmarked"),
  ]

  /// The marks of the content, such as `liked`, and its stars. Empty if there are none.
  private var marks: String {
    let words = Self.markWords.filter { isSet($0.0) == true }.map(\.1)
    let rating = stars.flatMap { $0 > 0 ? "\($0.plain) of 5 stars" : nil }
    return (words + (rating.map { [$0] } ?? [])).joined(separator: ", ")
  }

  /// True if the content has this mark. Nil if the source does not offer this mark.
  private func isSet(_ kind: CommandKind) -> Bool? {
    guard case .feedback(let isActive, _)? = state.command(kind)?.parameters else { return nil }
    return isActive
  }

  /// The rating of the content. Nil if the source offers no rating, or if the content has no rating.
  private var stars: Double? {
    guard case .rating(_, let current)? = state.command(.stars)?.parameters else { return nil }
    return current
  }

  private var time: String? {
    let elapsed = state.elapsed(at: now).map { TimeText.clock($0.roundedSeconds) }
    switch state.duration {
    case .finite(let length)?:
      return "\(elapsed ?? "?") of \(TimeText.clock(length.roundedSeconds))"
    case .live?: return "live"
    case .continuous?: return elapsed.map { "\($0), without end" } ?? "without end"
    case nil: return elapsed
    }
  }

  private var rate: String {
    let rate = state.playback?.rate ?? 0
    return rate == 0
      ? "0 (\(Self.text(state.status)))" : "\(((rate * 100).rounded() / 100).plain)×"
  }

  static func volume(_ volume: Volume) -> String {
    "\(volume.level)" + (volume.isMuted ? ", muted" : "")
  }

  private static func word(_ hold: PlaybackHold) -> String {
    switch hold {
    case .interruption(let reason): reason.description
    case .outputLost: "output"
    case .resuming: "resuming"
    case .source: "source"
    }
  }

  static func text(_ status: PlaybackStatus) -> String {
    switch status {
    case .seekingForward: "seeking forward"
    case .seekingBackward: "seeking backward"
    default: status.rawValue
    }
  }

  static func text(_ mode: MediaCommand.ShuffleMode) -> String {
    mode == .items ? "on" : mode.rawValue
  }

  private static func text(_ item: UpNextItem) -> String {
    item.artist.map { "\(item.title) · \($0)" } ?? item.title
  }
}
