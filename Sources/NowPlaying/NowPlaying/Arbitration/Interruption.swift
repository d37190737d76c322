/// An event that silences what plays (E4).
public struct Interruption: Hashable, Sendable, Identifiable {
  /// The cause of an interruption.
  public enum Reason: Hashable, Sendable, CustomStringConvertible {
    case call, reversing, alarm
    /// Another cause, as one word.
    case other(String)

    /// Creates the cause from its word.
    public init(_ word: String) {
      switch word {
      case "call": self = .call
      case "reversing": self = .reversing
      case "alarm": self = .alarm
      default: self = .other(word)
      }
    }

    /// The cause as one word.
    public var description: String {
      switch self {
      case .call: "call"
      case .reversing: "reversing"
      case .alarm: "alarm"
      case .other(let word): word
      }
    }
  }

  /// The number of the interruption, for ``Interruptions/end(_:)``.
  public let id: Int
  /// The cause.
  public let reason: Reason
  /// The time at which the interruption began.
  public let began: MonotonicInstant

  public init(id: Int, reason: Reason, began: MonotonicInstant) {
    self.id = id
    self.reason = reason
    self.began = began
  }
}

/// A value with the current interruptions. Interruptions can overlap. Example: a call arrives while the car reverses.
/// Either of these two interruptions can end first.
public struct Interruptions: Equatable, Sendable {
  /// The interruptions, in the order in which they began.
  public private(set) var current: [Interruption] = []
  private var lastID = 0

  /// Creates a value without interruptions.
  public init() {}

  /// Begins an interruption and returns its number for ``end(_:)``.
  public mutating func begin(_ reason: Interruption.Reason, at now: MonotonicInstant) -> Int {
    lastID += 1
    current.append(Interruption(id: lastID, reason: reason, began: now))
    return lastID
  }

  /// Ends an interruption and returns it. Returns nil if no current interruption has this number.
  public mutating func end(_ id: Int) -> Interruption? {
    guard let index = current.firstIndex(where: { $0.id == id }) else { return nil }
    return current.remove(at: index)
  }
}
