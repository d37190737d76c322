internal import Synchronization
internal import Threads

/// Messages of the output thread for the event loop that shows them: errors of the amplifier.
package final class PendingFailures: Sendable {
  private let messages = Mutex<[String]>([])
  private let wake = WakeUp()

  /// No messages.
  package init() {}

  /// For `poll`: readable if there are messages.
  package var descriptor: Int32 { wake.descriptor }

  /// Adds a message. Any thread; does not block.
  package func put(_ line: String) {
    messages.withLock { $0.append(line) }
    wake.signal()
  }

  /// All messages since the last call.
  package func take() -> [String] {
    wake.clear()
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
