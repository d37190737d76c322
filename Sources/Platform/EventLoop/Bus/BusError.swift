/// The reason why a call has no result, or why a message was not sent.
public enum BusError: Error, Equatable, CustomStringConvertible {
  /// The other side answered with an error that has this name (such as `org.bluez.Error.Failed`) and this message.
  case remote(name: String, message: String)
  /// No answer arrived in time.
  case timedOut
  /// The connection had already ended, or it ended before the answer arrived.
  case disconnected
  /// A value does not match its type, or the message exceeds the limit of this connection. Nothing was sent.
  case notSendable(String)
  /// A received value does not have the expected type.
  case wrongType(BusTypeError)
  /// A call of libsystemd or of the system failed.
  case system(SystemError)

  /// Text for people and logs.
  public var description: String {
    switch self {
    case .remote(let name, let message): message.isEmpty ? name : "\(name): \(message)"
    case .timedOut: "no answer in time"
    case .disconnected: "the connection has ended"
    case .notSendable(let reason): "cannot be sent: \(reason)"
    case .wrongType(let error): error.description
    case .system(let error): error.description
    }
  }
}

/// The error for a value that does not have the expected type.
public struct BusTypeError: Error, Equatable, CustomStringConvertible {
  /// The expected signature. If several signatures are accepted, this is a description of them.
  public let expected: String
  /// The signature that was found. Empty if there are no more arguments.
  public let found: String
  /// The index of the argument, from 0.
  public let index: Int

  /// Creates an error. Used by code that reads arguments without ``BodyReader``.
  public init(expected: String, found: String, index: Int) {
    self.expected = expected
    self.found = found
    self.index = index
  }

  /// Text for people and logs.
  public var description: String {
    "argument \(index): expected \(expected), found \(found.isEmpty ? "nothing" : found)"
  }
}

/// The standard D-Bus error names.
public enum BusErrorName {
  private static let prefix = "org.freedesktop.DBus.Error."
  /// An error without a more specific name.
  public static let failed = prefix + "Failed"
  /// The arguments do not match the method.
  public static let invalidArguments = prefix + "InvalidArgs"
  /// A limit is exceeded.
  public static let limitsExceeded = prefix + "LimitsExceeded"
  /// The caller has no permission.
  public static let accessDenied = prefix + "AccessDenied"
  /// No such object.
  public static let unknownObject = prefix + "UnknownObject"
  /// No such interface.
  public static let unknownInterface = prefix + "UnknownInterface"
  /// No such method.
  public static let unknownMethod = prefix + "UnknownMethod"
  /// No such property.
  public static let unknownProperty = prefix + "UnknownProperty"
  /// The property is read-only.
  public static let propertyReadOnly = prefix + "PropertyReadOnly"
  /// The name that a bus uses if no answer has arrived.
  public static let noReply = prefix + "NoReply"
  /// The name that libraries use if no answer has arrived in time.
  public static let timeout = prefix + "Timeout"
  /// The connection has ended.
  public static let disconnected = prefix + "Disconnected"
}
