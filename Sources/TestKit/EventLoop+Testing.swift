public import EventLoop
internal import Foundation
internal import Synchronization
internal import Threads

extension EventLoop {
  /// Runs the event loop until `condition` returns true. Only a failing test reaches the time limit of ``Hang``.
  /// - Throws: after ``Hang/limit``, with the file and the line of the caller.
  public func turn(
    until condition: () -> Bool, fileID: String = #fileID, line: Int = #line
  ) throws {
    let deadline = EventClock.monotonic.now + 1_000_000 * Int64(Hang.milliseconds)
    while !condition() {
      guard EventClock.monotonic.now < deadline else {
        throw Tools.Failure(
          description: "\(fileID):\(line): the condition did not hold within \(Hang.limit)")
      }
      try step(timeout: .milliseconds(100))
    }
  }

  /// Runs a program. Returns the output of the program, or its failure.
  public func run(
    _ program: String, _ arguments: [String], fileID: String = #fileID, line: Int = #line
  ) throws -> Result<String, any Error> {
    try run(fileID: fileID, line: line) {
      String(decoding: try Tools.run(program, arguments), as: UTF8.self)
    }
  }

  /// Runs a function that blocks on another thread. This thread runs the event loop in the meantime.
  public func run<Value: Sendable>(
    fileID: String = #fileID, line: Int = #line, _ body: @escaping @Sendable () throws -> Value
  ) throws -> Result<Value, any Error> {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let done = WakeUp()
    let thread = NamedThread("program") {
      let value = Result { try body() }
      result.withLock { $0 = value }
      done.signal()
    }
    defer { thread.join() }
    var isDone = false
    let source = try DescriptorSource(self, descriptor: done.descriptor) { _ in
      done.clear()
      isDone = true
    }
    try turn(until: { isDone }, fileID: fileID, line: line)
    source.cancel()
    guard let result = result.withLock({ $0 }) else {
      throw Tools.Failure(description: "\(fileID):\(line): the function left no result")
    }
    return result
  }
}
