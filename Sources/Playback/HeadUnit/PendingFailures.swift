internal import Synchronization
internal import Threads

/// Passes error messages of the amplifier from the output thread to the event loop, which shows them.
package final class PendingFailures: Sendable {
  private let messages = Mutex<[String]>([])
  private let wake = WakeUp()

  /// Creates an object without messages.
  package init() {}

  /// A descriptor for `poll`. It is readable if there are messages.
  package var descriptor: Int32 { wake.descriptor }

  /// Adds a message. May be called on any thread. Does not block.
  package func put(_ line: String) {
    messages.withLock { $0.append(line) }
    wake.signal()
  }

  /// Returns all messages since the last call.
  package func take() -> [String] {
    wake.clear()
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
