internal import Synchronization
internal import Threads

/// Words from the output thread for the loop that shows them: what the amplifier could not do.
package final class PendingFailures: Sendable {
  private let words = Mutex<[String]>([])
  private let wake = WakeUp()

  /// Empty.
  package init() {}

  /// For `poll`: readable when there is something.
  package var descriptor: Int32 { wake.descriptor }

  /// Any thread; returns at once.
  package func put(_ line: String) {
    words.withLock { $0.append(line) }
    wake.signal()
  }

  /// Everything since the last call.
  package func take() -> [String] {
    wake.clear()
    return words.withLock { words in
      defer { words = [] }
      return words
    }
  }
}
