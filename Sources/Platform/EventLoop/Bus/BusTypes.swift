internal import Glibc

extension Bus {
  /// Whom to connect to.
  public enum Address: Equatable, Sendable {
    /// The system's, or `DBUS_SYSTEM_BUS_ADDRESS`.
    case system
    /// The user's, or `DBUS_SESSION_BUS_ADDRESS`.
    case session
    /// A bus at a D-Bus address, `unix:path=/run/dbus/system_bus_socket`.
    case bus(String)
    /// Another program without a bus between, at a D-Bus address.
    case peer(String)

    /// Not sd_bus_open_system and its like: they start before it can be said that the moment of
    /// connection is to be told.
    var text: String {
      switch self {
      case .system:
        Self.variable("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
      case .session:
        Self.variable("DBUS_SESSION_BUS_ADDRESS")
          ?? "unix:path=\(Self.variable("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())")/bus"
      case .bus(let text), .peer(let text): text
      }
    }

    var isPeer: Bool { if case .peer = self { true } else { false } }

    private static func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }
    }
  }

  /// What one connection may hold. Beyond it, it is ended and nothing else.
  public struct Limits: Equatable, Sendable {
    /// Bytes of one message, to a peer and from it.
    public var messageBytes = 1 << 20
    /// Bytes that the other side has not taken yet, above what the kernel keeps.
    public var queuedBytes = 1 << 20
    /// Messages that it has not taken yet.
    public var queuedMessages = 1024
    /// Calls of the other side that are not answered yet; one more is refused with an error.
    public var openCalls = 256

    /// What is ample for all that Autoharp says.
    public init() {}
  }

  /// Why it ended.
  public enum Ending: Equatable, Sendable, CustomStringConvertible {
    /// The other side left, refused, or sent what sd-bus cannot read.
    case lost
    /// It did not take what was sent.
    case tooSlow
    /// It sent a message that is longer than allowed.
    case oversizedMessage
    /// It sent bytes that are no message.
    case malformedMessage
    /// It did not say who it is in time.
    case neverAuthenticated

    /// For the log.
    public var description: String {
      switch self {
      case .lost: "the connection ended"
      case .tooSlow: "it does not take what it is sent"
      case .oversizedMessage: "its message is longer than allowed"
      case .malformedMessage: "it sent what is no message"
      case .neverAuthenticated: "it did not say who it is"
      }
    }
  }
}
