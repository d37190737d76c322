package import EventLoop
package import Reports

/// What the unit tells its clients apart from its states. Any part puts messages in, at any time. In each turn, the
/// control server sends them in their order to the clients that follow them. A message that no client follows is
/// dropped.
///
/// Used on the control thread. No function blocks.
package final class UnitOutbox {
  /// One message.
  package enum Message: Equatable, Sendable {
    /// A line of the log.
    case line(LogLine)
    /// A command after its last step, an event of the sound, or a key without an action.
    case trace(TraceEntry)
    /// A notice for the people in the car.
    case notice(UnitNotice)
    /// A knob or key moves the focus of the screen.
    case focus(FocusMove)
  }

  /// Before the first turn, only the newest messages are kept.
  private static let capacity = 500
  private let turns: Turns
  private var messages: [Message] = []

  /// - Parameter turns: each message requests a turn.
  package init(_ turns: Turns) { self.turns = turns }

  /// Adds a message.
  package func put(_ message: Message) {
    if messages.count == Self.capacity { messages.removeFirst() }
    messages.append(message)
    turns.request()
  }

  /// Removes all messages, the oldest first.
  package func take() -> [Message] {
    defer { messages.removeAll(keepingCapacity: true) }
    return messages
  }
}
