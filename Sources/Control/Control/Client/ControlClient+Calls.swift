package import EventLoop
package import NowPlaying
package import Reports

// Calls to the daemon. A completion is called once, after the method has returned, on the loop's
// thread. It is not called after this object is deallocated.
extension ControlClient {
  /// The result of a command.
  package struct Outcome: Hashable, Sendable {
    /// The number of the command in the daemon's trace.
    package let number: Int
    package let answer: CommandAnswer
  }

  /// Called with the result of a call.
  package typealias Completion<Value> = (Result<Value, ControlError>) -> Void

  /// A call that was sent. It can be cancelled.
  package typealias Ticket = PendingCall

  /// The time limit for an answer. It is longer than the time that a source has for an answer.
  package static let timeout = Duration.seconds(5)

  // MARK: Now Playing

  /// Reads the present state once.
  @discardableResult
  package func getState(_ completion: @escaping Completion<NowPlayingState>) -> Ticket? {
    call(ControlInterface.nowPlaying, "GetState", then: completion) { try StateCoding.state($0[0]) }
  }

  /// Reads the cover of the content `contentID`. `size` is the largest size that the caller can
  /// use.
  @discardableResult
  package func artwork(
    for contentID: String, size: ArtworkSize, _ completion: @escaping Completion<ArtworkAnswer>
  ) -> Ticket? {
    let isLargest = size == .largest
    return call(
      ControlInterface.nowPlaying, "GetArtwork",
      [
        .string(contentID), .uint32(isLargest ? 0 : UInt32(clamping: size.width)),
        .uint32(isLargest ? 0 : UInt32(clamping: size.height)),
      ], timeout: .seconds(30), then: completion
    ) { try AnswerCoding.artwork($0[0].text ?? "", $0[1]) }
  }

  /// Reads the picture of an image button of the current content. Nil if the source has provided no
  /// picture.
  @discardableResult
  package func buttonPicture(_ name: String, _ completion: @escaping Completion<ButtonPicture?>)
    -> Ticket?
  {
    call(
      ControlInterface.nowPlaying, "GetButtonPicture", [.string(name)], then: completion
    ) { values in
      guard let format = values[0].text.flatMap({ ButtonPicture.Format(rawValue: $0) }) else {
        return nil
      }
      if let bytes = values[1].byteArray { return ButtonPicture(format, bytes) }
      return nil
    }
  }

  /// Reads the album that plays. The result has no items if the content belongs to no album.
  @discardableResult
  package func album(_ completion: @escaping Completion<AlbumReport>) -> Ticket? {
    call(ControlInterface.nowPlaying, "GetAlbum", then: completion) { values in
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
  ///   - isRepeat: true for the repeats of a key that is held.
  ///   - surface: the name of a shared surface, if this client is not a surface itself.
  @discardableResult
  package func send(
    _ request: CommandRequest, isRepeat: Bool = false, from surface: String? = nil,
    timeout: Duration = timeout, _ completion: @escaping Completion<Outcome> = { _ in }
  ) -> Ticket? {
    let (command, arguments) = RequestCoding.value(of: request)
    var options = WireBuilder()
    if isRepeat { options.add("isRepeat", .boolean(true)) }
    options.add("from", surface.map { .string($0) })
    return call(
      ControlInterface.commands, "Send", [.string(command), arguments, options.value],
      timeout: timeout, optional: 2, then: completion
    ) { values in
      Outcome(
        number: values[0].integer ?? 0,
        answer: AnswerCoding.answer(values[1...].map { $0.text ?? "" }))
    }
  }

  /// Jumps to an item of up next or of the album.
  @discardableResult
  package func playQueueItem(_ id: String, _ completion: @escaping Completion<Void>) -> Ticket? {
    call(ControlInterface.commands, "PlayQueueItem", [.string(id)], then: completion) { _ in }
  }

  // MARK: The head unit

  /// Reads the facts about a topic.
  @discardableResult
  package func facts(_ topic: FactsTopic, _ completion: @escaping Completion<FactsReport>)
    -> Ticket?
  {
    call(ControlInterface.unit, "GetFacts", [.string(topic.rawValue)], then: completion) {
      try ReportCoding.facts($0[0])
    }
  }

  /// Reads the table of command latencies.
  @discardableResult
  package func latency(_ completion: @escaping Completion<LatencyTable>) -> Ticket? {
    call(ControlInterface.unit, "GetLatency", then: completion) {
      try ReportCoding.latency($0[0], $0[1])
    }
  }

  /// Runs the checks of Now Playing and walks the decision tree. With a symptom, the tree is walked
  /// only for this symptom. Without a symptom, the tree is walked for all symptoms, and the result
  /// also has the findings about the other parts of the unit.
  @discardableResult
  package func diagnosis(
    _ symptom: DecisionTree.Symptom?, _ completion: @escaping Completion<DiagnosisReport>
  ) -> Ticket? {
    call(ControlInterface.unit, "Diagnose", [.string(symptom?.rawValue ?? "")], then: completion) {
      try ReportCoding.diagnosis($0[0], $0[1])
    }
  }

  /// Runs the checks of phones.
  @discardableResult
  package func diagnosisOfPhones(_ completion: @escaping Completion<DiagnosisReport>) -> Ticket? {
    call(
      ControlInterface.unit, "Diagnose", [.string(DiagnosisReport.phones)], then: completion
    ) { try ReportCoding.diagnosis($0[0], $0[1]) }
  }

  /// Reads the last entries of the trace, oldest first.
  @discardableResult
  package func trace(limit: Int, _ completion: @escaping Completion<[TraceEntry]>) -> Ticket? {
    call(ControlInterface.unit, "GetTrace", [.uint32(UInt32(clamping: limit))], then: completion) {
      try ($0[0].elements ?? []).compactMap { try TraceCoding.entry($0) }
    }
  }

  /// Reads the last lines of the log, oldest first.
  @discardableResult
  package func log(limit: Int, _ completion: @escaping Completion<[LogLine]>) -> Ticket? {
    call(ControlInterface.unit, "GetLog", [.uint32(UInt32(clamping: limit))], then: completion) {
      try ($0[0].elements ?? []).map { try ReportCoding.logLine($0.elements ?? []) }
    }
  }

  /// Ends safe mode: the daemon ends, and the service manager starts it normally.
  @discardableResult
  package func endSafeMode(_ completion: @escaping Completion<Void>) -> Ticket? {
    call(ControlInterface.unit, "EndSafeMode", then: completion) { _ in }
  }

  /// Plays the test sound over the music.
  @discardableResult
  package func playChime(_ completion: @escaping Completion<Void>) -> Ticket? {
    call(ControlInterface.unit, "PlayChime", then: completion) { _ in }
  }

  /// Begins a hold.
  /// - Parameters:
  ///   - outlives: true if the hold stays when this client disconnects. It then ends after `time`, or after
  ///     ``SoundHold/standardTime``.
  ///   - time: the time after which the hold ends. Nil for none.
  @discardableResult
  package func begin(
    _ hold: SoundHold, outlives: Bool = false, for time: Duration? = nil,
    _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    var options = WireBuilder()
    options.add("outlivesClient", outlives ? .boolean(true) : nil)
    options.add("time", time.map { .int64(Int64($0 / .nanoseconds(1))) })
    return call(
      ControlInterface.unit, hold.isDuck ? "BeginDuck" : "BeginInterruption",
      [.string(hold.name), options.value], then: completion
    ) { _ in }
  }

  /// Ends a hold.
  /// - Parameter shouldResume: false if what an interruption has paused stays paused.
  @discardableResult
  package func end(
    _ hold: SoundHold, shouldResume: Bool = true, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    var options = WireBuilder()
    options.add("shouldResume", shouldResume ? nil : .boolean(false))
    return call(
      ControlInterface.unit, hold.isDuck ? "EndDuck" : "EndInterruption",
      hold.isDuck ? [.string(hold.name)] : [.string(hold.name), options.value], then: completion
    ) { _ in }
  }

  /// Reboots the machine or switches it off.
  @discardableResult
  package func power(_ action: PowerAction, _ completion: @escaping Completion<Void>) -> Ticket? {
    call(ControlInterface.unit, action == .reboot ? "Reboot" : "PowerOff", then: completion) { _ in
    }
  }

  /// Reboots the machine, and erases the personal data before the daemon starts again.
  @discardableResult
  package func erasePersonalData(_ completion: @escaping Completion<Void>) -> Ticket? {
    call(ControlInterface.unit, "ErasePersonalData", then: completion) { _ in }
  }

  /// Reads whether the console may start a shell.
  @discardableResult
  package func isShellAllowed(_ completion: @escaping Completion<Bool>) -> Ticket? {
    call(ControlInterface.unit, "IsShellAllowed", then: completion) { $0[0].flag ?? false }
  }
}
