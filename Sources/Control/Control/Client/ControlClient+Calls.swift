package import EventLoop
package import NowPlaying
package import Reports

// What can be asked. Completions come later, once, on the loop's thread; not after this object has
// gone.
extension ControlClient {
  /// What became of a command.
  package struct Outcome: Hashable, Sendable {
    /// In the daemon's trace.
    package let number: Int
    package let answer: CommandAnswer
  }

  /// What comes back.
  package typealias Completion<Value> = (Result<Value, ControlError>) -> Void

  /// A call that somebody may not want any more.
  package typealias Ticket = PendingCall

  /// Longer than a source may take to answer.
  package static let timeout = Duration.seconds(5)

  // MARK: Now Playing

  /// The state as it is now, once.
  @discardableResult
  package func getState(_ completion: @escaping Completion<NowPlayingState>) -> Ticket? {
    ask(ControlInterface.nowPlaying, "GetState", then: completion) { try StateCoding.state($0[0]) }
  }

  /// The cover of what plays, at the largest size that is of use.
  @discardableResult
  package func artwork(
    for contentID: String, size: ArtworkSize, _ completion: @escaping Completion<ArtworkAnswer>
  ) -> Ticket? {
    let isLargest = size == .largest
    return ask(
      ControlInterface.nowPlaying, "GetArtwork",
      [
        .string(contentID), .uint32(isLargest ? 0 : UInt32(clamping: size.width)),
        .uint32(isLargest ? 0 : UInt32(clamping: size.height)),
      ], timeout: .seconds(30), then: completion
    ) { try AnswerCoding.artwork($0[0].text ?? "", $0[1]) }
  }

  /// What an image button of what plays looks like; nil where its source has not said.
  @discardableResult
  package func buttonPicture(_ name: String, _ completion: @escaping Completion<ButtonPicture?>)
    -> Ticket?
  {
    ask(
      ControlInterface.nowPlaying, "GetButtonPicture", [.string(name)], then: completion
    ) { values in
      guard let format = values[0].text.flatMap({ ButtonPicture.Format(rawValue: $0) }) else {
        return nil
      }
      if case .bytes(let bytes) = values[1] { return ButtonPicture(format, bytes) }
      return nil
    }
  }

  /// The album that plays; without items where it is of none.
  @discardableResult
  package func album(_ completion: @escaping Completion<AlbumReport>) -> Ticket? {
    ask(ControlInterface.nowPlaying, "GetAlbum", then: completion) { values in
      AlbumReport(
        title: values[0].text ?? "",
        items: try (values[1].elements ?? []).prefix(AlbumReport.limit).map {
          try StateCoding.item(try WireFields($0, "album"))
        })
    }
  }

  // MARK: Commands

  /// Sends a command.
  /// - Parameters:
  ///   - isRepeat: a key that is held down says so itself.
  ///   - surface: what it comes from, where this client is no surface of its own.
  @discardableResult
  package func send(
    _ request: CommandRequest, isRepeat: Bool = false, from surface: String? = nil,
    timeout: Duration = timeout, _ completion: @escaping Completion<Outcome> = { _ in }
  ) -> Ticket? {
    let (command, arguments) = RequestCoding.value(of: request)
    var options = WireBuilder()
    if isRepeat { options.add("isRepeat", .boolean(true)) }
    options.add("from", surface.map { .string($0) })
    return ask(
      ControlInterface.commands, "Send", [.string(command), arguments, options.value],
      timeout: timeout, optional: 2, then: completion
    ) { values in
      Outcome(
        number: values[0].integer ?? 0,
        answer: AnswerCoding.answer(values[1...].map { $0.text ?? "" }))
    }
  }

  /// Jumps to an item of what comes next.
  @discardableResult
  package func playQueueItem(_ id: String, _ completion: @escaping Completion<Void>) -> Ticket? {
    ask(ControlInterface.commands, "PlayQueueItem", [.string(id)], then: completion) { _ in }
  }

  // MARK: The head unit

  /// Facts with labels.
  @discardableResult
  package func facts(_ topic: FactsTopic, _ completion: @escaping Completion<FactsReport>)
    -> Ticket?
  {
    ask(ControlInterface.unit, "GetFacts", [.string(topic.rawValue)], then: completion) {
      try ReportCoding.facts($0[0])
    }
  }

  /// How long commands took.
  @discardableResult
  package func latency(_ completion: @escaping Completion<LatencyTable>) -> Ticket? {
    ask(ControlInterface.unit, "GetLatency", then: completion) {
      try ReportCoding.latency($0[0], $0[1])
    }
  }

  /// All checks, or those and the questions behind one symptom.
  @discardableResult
  package func diagnosis(
    _ symptom: DecisionTree.Symptom?, _ completion: @escaping Completion<DiagnosisReport>
  ) -> Ticket? {
    ask(ControlInterface.unit, "Diagnose", [.string(symptom?.rawValue ?? "")], then: completion) {
      try ReportCoding.diagnosis($0[0], $0[1])
    }
  }

  /// The last entries, oldest first.
  @discardableResult
  package func trace(limit: Int, _ completion: @escaping Completion<[TraceEntry]>) -> Ticket? {
    ask(ControlInterface.unit, "GetTrace", [.uint32(UInt32(clamping: limit))], then: completion) {
      try ($0[0].elements ?? []).compactMap { try TraceCoding.entry($0) }
    }
  }

  /// The last lines, oldest first.
  @discardableResult
  package func log(limit: Int, _ completion: @escaping Completion<[LogLine]>) -> Ticket? {
    ask(ControlInterface.unit, "GetLog", [.uint32(UInt32(clamping: limit))], then: completion) {
      try ($0[0].elements ?? []).map { try ReportCoding.logLine($0.elements ?? []) }
    }
  }

  /// The test sound, over the music.
  @discardableResult
  package func playChime(_ completion: @escaping Completion<Void>) -> Ticket? {
    ask(ControlInterface.unit, "PlayChime", then: completion) { _ in }
  }

  /// Something silences what plays, or ceases to.
  @discardableResult
  package func interruption(
    begins: Bool, _ reason: Interruption.Reason, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    ask(
      ControlInterface.unit, begins ? "BeginInterruption" : "EndInterruption",
      [.string(reason.description)], then: completion
    ) { _ in }
  }

  /// The whole machine.
  @discardableResult
  package func power(_ action: PowerAction, _ completion: @escaping Completion<Void>) -> Ticket? {
    ask(ControlInterface.unit, action == .reboot ? "Reboot" : "PowerOff", then: completion) { _ in }
  }

  /// Whether the console may give a shell.
  @discardableResult
  package func isShellAllowed(_ completion: @escaping Completion<Bool>) -> Ticket? {
    ask(ControlInterface.unit, "IsShellAllowed", then: completion) { $0[0].flag ?? false }
  }
}
