/// Something that silences what plays (E4).
public struct Interruption: Hashable, Sendable, Identifiable {
  /// What it is.
  public enum Reason: Hashable, Sendable, CustomStringConvertible {
    case call, reversing, alarm
    /// Anything else, in a word.
    case other(String)

    /// In a word.
    public var description: String {
      switch self {
      case .call: "call"
      case .reversing: "reversing"
      case .alarm: "alarm"
      case .other(let word): word
      }
    }
  }

  /// By which it is ended.
  public let id: Int
  /// What it is.
  public let reason: Reason
  /// Since when.
  public let began: MonotonicInstant

  /// See the fields.
  public init(id: Int, reason: Reason, began: MonotonicInstant) {
    self.id = id
    self.reason = reason
    self.began = began
  }
}

/// The interruptions that go on now, as a value. They nest: a call may come while reversing, and
/// either may end first.
public struct Interruptions: Equatable, Sendable {
  /// In the order in which they began.
  public private(set) var current: [Interruption] = []
  private var lastID = 0

  /// None.
  public init() {}

  /// Begins one; returns by what it is ended.
  public mutating func begin(_ reason: Interruption.Reason, at now: MonotonicInstant) -> Int {
    lastID += 1
    current.append(Interruption(id: lastID, reason: reason, began: now))
    return lastID
  }

  /// Ends one; nil if it is not going on.
  public mutating func end(_ id: Int) -> Interruption? {
    guard let index = current.firstIndex(where: { $0.id == id }) else { return nil }
    return current.remove(at: index)
  }
}
