/// An answer that is none, or why something was not sent.
public enum BusError: Error, Equatable, CustomStringConvertible {
  /// The other side said no: the name of the error (`org.bluez.Error.Failed`) and its words.
  case remote(name: String, message: String)
  /// No answer in time.
  case timedOut
  /// The connection ended before the answer came, or has ended.
  case disconnected
  /// A value is not what its type says, or longer than this connection carries. Nothing was sent.
  case notSendable(String)
  /// A value that came is not of the type that was expected.
  case wrongType(BusTypeError)
  /// libsystemd or the system refused.
  case system(SystemError)

  /// In words.
  public var description: String {
    switch self {
    case .remote(let name, let message): message.isEmpty ? name : "\(name): \(message)"
    case .timedOut: "no answer in time"
    case .disconnected: "the connection has ended"
    case .notSendable(let why): "cannot be sent: \(why)"
    case .wrongType(let error): error.description
    case .system(let error): error.description
    }
  }
}

/// What was expected, and what is there.
public struct BusTypeError: Error, Equatable, CustomStringConvertible {
  /// A signature, or several that would do.
  public let expected: String
  /// A signature; empty for the end.
  public let found: String
  /// Which argument, from 0.
  public let index: Int

  /// For a reader of one's own.
  public init(expected: String, found: String, index: Int) {
    self.expected = expected
    self.found = found
    self.index = index
  }

  /// In words.
  public var description: String {
    "argument \(index): expected \(expected), found \(found.isEmpty ? "nothing" : found)"
  }
}

/// The names of errors that everyone knows.
public enum BusErrorName {
  private static let prefix = "org.freedesktop.DBus.Error."
  /// Something went wrong.
  public static let failed = prefix + "Failed"
  /// The arguments are not those of the method.
  public static let invalidArguments = prefix + "InvalidArgs"
  /// More at once than is allowed.
  public static let limitsExceeded = prefix + "LimitsExceeded"
  /// The caller may not.
  public static let accessDenied = prefix + "AccessDenied"
  /// No such object.
  public static let unknownObject = prefix + "UnknownObject"
  /// No such interface.
  public static let unknownInterface = prefix + "UnknownInterface"
  /// No such method.
  public static let unknownMethod = prefix + "UnknownMethod"
  /// No such property.
  public static let unknownProperty = prefix + "UnknownProperty"
  /// It can be read only.
  public static let propertyReadOnly = prefix + "PropertyReadOnly"
  /// Nobody answered.
  public static let noReply = prefix + "NoReply"
  /// Nobody answered in time.
  public static let timeout = prefix + "Timeout"
  /// The connection has ended.
  public static let disconnected = prefix + "Disconnected"
  /// Nobody has the name.
  public static let nameHasNoOwner = prefix + "NameHasNoOwner"
}
