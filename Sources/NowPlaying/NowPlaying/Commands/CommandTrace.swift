/// The history of one command, step by step.
public struct CommandRecord: Hashable, Sendable, CustomStringConvertible {
  /// The decision about a command, made when the command arrived.
  public enum Verdict: Hashable, Sendable {
    /// The command was passed on to this session. Nil means that the head unit itself performs it.
    case accepted(SessionID?)
    /// The requested state existed already, so the command was not passed on (C9).
    case unchanged
    /// The command takes effect later. For example, the session is held (E4), or the songs of a list have not arrived
    /// yet.
    case deferred
    /// The command comes from the same press as the earlier command with this number (C9).
    case merged(with: Int)
    case refused(CommandRefusal)
  }

  /// The number of the command, counted from 1.
  public let number: Int
  /// The request.
  public let request: CommandRequest
  /// The surface that sent the command.
  public let surface: SurfaceID
  /// The device on which a person pressed a key. Nil if the surface cannot name the device, or if the surface itself is
  /// the device.
  public let origin: PressOrigin?
  /// The input path of the command.
  public let inputPath: InputPath
  /// The time at which the command arrived.
  public let received: MonotonicInstant
  /// The decision; nil until it is made.
  public internal(set) var verdict: Verdict?
  /// The answer to the sender; nil until it is given.
  public internal(set) var answer: CommandAnswer?
  /// The time at which the answer was given.
  public internal(set) var performed: MonotonicInstant?
  /// The time at which the first sound that the command changed was handed to the output.
  public internal(set) var handedOver: MonotonicInstant?
  /// The time at which the first sound that the command changed reached the loudspeaker.
  public internal(set) var heard: MonotonicInstant?

  /// The reason why the command did not reach a source, or why the source failed; nil otherwise.
  public var refusal: Refusal? {
    if case .refused(let refusal) = verdict { refusal.refusal } else { answer?.refusal }
  }

  /// The history as one line of text. All times are measured from the arrival of the command.
  public var description: String {
    let device = origin.map { " (\($0.name))" } ?? ""
    var parts = ["#\(number) \(surface)/\(inputPath)\(device) \(request)"]
    switch verdict {
    case nil: parts.append("received")
    case .accepted(let session): parts.append("accepted by \(session?.rawValue ?? "head unit")")
    case .unchanged: parts.append("no change")
    case .deferred: parts.append("deferred")
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

/// The last commands with their history. If there are more than ``capacity`` commands, the oldest commands are dropped.
public struct CommandTrace: Equatable, Sendable {
  /// Maximum number of records.
  public let capacity: Int
  /// The records, oldest first.
  public private(set) var records: [CommandRecord] = []
  /// Number of commands received since the start.
  public private(set) var count = 0

  /// Creates a trace that keeps the last `capacity` commands.
  public init(capacity: Int = 200) { self.capacity = max(1, capacity) }

  /// The record of a command; nil if it is no longer kept.
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

  /// Stores when the effect of a command was handed over and heard. Only the first report is stored, because a later
  /// effect has another cause.
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
