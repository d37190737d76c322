internal import Threads

/// A call to the system or to libsystemd that failed.
public struct SystemError: Error, Equatable, CustomStringConvertible {
  /// The function.
  public let call: String
  /// Its `errno`, positive.
  public let code: Int32

  /// - Parameter code: positive, or negative as libsystemd returns it.
  public init(_ call: String, _ code: Int32) {
    self.call = call
    self.code = abs(code)
  }

  /// The call, and the system's words.
  public var description: String { "\(call): \(systemWords(code))" }
}
