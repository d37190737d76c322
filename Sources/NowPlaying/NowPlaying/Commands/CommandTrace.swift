/// What happened to a command, step by step.
public struct CommandRecord: Hashable, Sendable, CustomStringConvertible {
  /// What was decided when it arrived.
  public enum Verdict: Hashable, Sendable {
    /// Passed on to this session; nil is the head unit itself.
    case accepted(SessionID?)
    /// It is so already: nothing was passed on (C9).
    case unchanged
    /// Remembered until the interruption ends (E4).
    case deferred
    /// The same press as that earlier one (C9).
    case merged(with: Int)
    case refused(CommandRefusal)
  }

  /// Counts up from 1.
  public let number: Int
  /// What was asked.
  public let request: CommandRequest
  /// Who asked.
  public let surface: SurfaceID
  /// Whose hand it was; nil where the surface does not know, or is one.
  public let origin: PressOrigin?
  /// On which input path it came.
  public let inputPath: InputPath
  /// When it came, as the surface says.
  public let received: MonotonicInstant
  /// What was decided.
  public internal(set) var verdict: Verdict?
  /// What the asker was told.
  public internal(set) var answer: CommandAnswer?
  /// When that was.
  public internal(set) var performed: MonotonicInstant?
  /// When the first sound that it changed was handed to the output.
  public internal(set) var handedOver: MonotonicInstant?
  /// When that was in the loudspeaker.
  public internal(set) var heard: MonotonicInstant?

  /// Why it did not reach a source, or why the source failed; nil where neither is so.
  public var refusal: Refusal? {
    if case .refused(let refusal) = verdict { refusal.refusal } else { answer?.refusal }
  }

  /// One line, with times since it was received.
  public var description: String {
    let hand = origin.map { " (\($0.name))" } ?? ""
    var parts = ["#\(number) \(surface)/\(inputPath)\(hand) \(request)"]
    switch verdict {
    case nil: parts.append("received")
    case .accepted(let session): parts.append("accepted by \(session?.rawValue ?? "head unit")")
    case .unchanged: parts.append("already so")
    case .deferred: parts.append("kept for later")
    case .merged(let other): parts.append("same press as #\(other)")
    case .refused(let refusal): parts.append("refused: \(refusal)")
    }
    if let answer {
      let after = performed.map { " after \($0.wholeTime(since: received).millisecondText)" } ?? ""
      parts.append("\(answer)\(after)")
    }
    if let handedOver {
      parts.append("handed over after \(handedOver.wholeTime(since: received).millisecondText)")
    }
    if let heard { parts.append("heard after \(heard.wholeTime(since: received).millisecondText)") }
    return parts.joined(separator: ", ")
  }
}

/// The last commands with all that became of them. Bounded: the oldest go.
public struct CommandTrace: Equatable, Sendable {
  /// How many are kept.
  public let capacity: Int
  /// The oldest first.
  public private(set) var records: [CommandRecord] = []
  /// How many were ever received.
  public private(set) var count = 0

  /// Keeps the last `capacity`.
  public init(capacity: Int = 200) { self.capacity = max(1, capacity) }

  /// One that is still kept.
  public subscript(number: Int) -> CommandRecord? { index(number).map { records[$0] } }

  mutating func receive(
    _ request: CommandRequest, from surface: SurfaceID, of origin: PressOrigin?,
    on inputPath: InputPath,
    at now: MonotonicInstant
  ) -> Int {
    count += 1
    if records.count == capacity { records.removeFirst() }
    records.append(
      CommandRecord(
        number: count, request: request, surface: surface, origin: origin, inputPath: inputPath,
        received: now))
    return count
  }

  /// The first word about it counts: what follows was changed by something else.
  mutating func noteEffect(
    _ number: Int, handedOver: MonotonicInstant?, heard: MonotonicInstant
  ) {
    update(number) {
      guard $0.heard == nil else { return }
      $0.handedOver = handedOver
      $0.heard = heard
    }
  }

  mutating func update(_ number: Int, _ change: (inout CommandRecord) -> Void) {
    if let index = index(number) { change(&records[index]) }
  }

  private func index(_ number: Int) -> Int? {
    guard let first = records.first?.number, number >= first, number - first < records.count else {
      return nil
    }
    return number - first
  }

  /// One line per command.
  public var text: String { records.map { "\($0)" }.joined(separator: "\n") }
}
