internal import Threads

/// A failed call of the system or of libsystemd.
public struct SystemError: Error, Equatable, CustomStringConvertible {
  /// The name of the called function.
  public let call: String
  /// The `errno` value, positive.
  public let code: Int32

  /// - Parameter code: positive, or negative as libsystemd returns it.
  public init(_ call: String, _ code: Int32) {
    self.call = call
    self.code = abs(code)
  }

  /// The function and the system's message.
  public var description: String { "\(call): \(systemWords(code))" }
}
