package import EventLoop
package import Reports

/// The messages of the unit to its clients. States are not sent this way. Any part of the unit can put messages in at
/// any time. In each turn, the control server sends all messages, oldest first, to the clients that follow their
/// subject. If no client follows the subject, the message is dropped.
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

  /// The maximum number of messages. No message is sent before the first turn. If there are too many messages, the
  /// oldest message is dropped.
  private static let capacity = 500
  private let turns: Turns
  private var messages: [Message] = []

  /// - Parameter turns: used to request a turn for each message.
  package init(_ turns: Turns) { self.turns = turns }

  /// Adds a message.
  package func put(_ message: Message) {
    if messages.count == Self.capacity { messages.removeFirst() }
    messages.append(message)
    turns.request()
  }

  /// Returns and removes all messages, oldest first.
  package func take() -> [Message] {
    defer { messages.removeAll(keepingCapacity: true) }
    return messages
  }
}
