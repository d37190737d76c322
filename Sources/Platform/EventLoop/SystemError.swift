internal import Threads

/// A failed call of the system or of libsystemd.
public struct SystemError: Error, Equatable, CustomStringConvertible {
  /// The name of the called function.
  public let call: String
  /// The `errno` value, positive.
  public let code: Int32

  /// - Parameter code: an `errno` value. It can be negative, because libsystemd returns negative values.
  public init(_ call: String, _ code: Int32) {
    self.call = call
    self.code = abs(code)
  }

  /// The name of the function and the system's message.
  public var description: String { "\(call): \(systemWords(code))" }
}
