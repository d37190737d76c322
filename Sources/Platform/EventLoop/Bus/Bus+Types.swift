internal import Glibc

extension Bus {
  /// The bus or peer to connect to.
  public enum Address: Equatable, Sendable {
    /// The system bus. `DBUS_SYSTEM_BUS_ADDRESS` overrides its address.
    case system
    /// The user's session bus. `DBUS_SESSION_BUS_ADDRESS` overrides its address.
    case session
    /// A bus at a D-Bus address, such as `unix:path=/run/dbus/system_bus_socket`.
    case bus(String)
    /// Another program at a D-Bus address, without a bus in between.
    case peer(String)

    /// The address of a program that listens on a socket at this path. In the address, all bytes except letters, digits
    /// and `-_/.` are escaped.
    public static func socket(_ path: String) -> Address {
      let digits = Array("0123456789abcdef")
      return .peer(
        path.utf8.reduce(into: "unix:path=") { result, byte in
          let character = Character(Unicode.Scalar(byte))
          let isPlain = byte < 0x80 && (character.isLetter || character.isNumber)
          if isPlain || "-_/.".utf8.contains(byte) {
            result.append(character)
          } else {
            result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
          }
        })
    }

    /// The D-Bus address. `sd_bus_open_system` and the similar functions are not used: they start the connection before
    /// `sd_bus_set_connected_signal` can be called.
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

  /// The limits of one connection. The connection ends if the other side sends a message that is too long, or if too
  /// many messages wait because the other side does not read.
  public struct Limits: Equatable, Sendable {
    /// The maximum size of a sent message in bytes.
    public var messageBytes = 1 << 20
    /// The maximum size of a message from an accepted peer, in bytes.
    public var receivedBytes = 1 << 20
    /// The maximum number of bytes that wait to be sent. Bytes in the buffers of the kernel do not count.
    public var queuedBytes = 1 << 20
    /// The maximum number of messages that wait to be sent.
    public var queuedMessages = 1024
    /// The maximum number of calls of the other side that are not answered yet. Further calls get an error.
    public var openCalls = 256

    /// The default limits. The messages of Autoharp need much less.
    public init() {}
  }

  /// The reason why a connection ended.
  public enum Ending: Equatable, Sendable, CustomStringConvertible {
    /// The other side closed or refused the connection, or sent data that sd-bus cannot parse.
    case lost
    /// The other side did not read the messages that were sent to it.
    case tooSlow
    /// All peers together, or the peers of one user, used too much memory. Of these peers, the peer of this connection
    /// used most.
    case overBudget
    /// The other side sent a message that is longer than allowed.
    case oversizedMessage
    /// The other side sent bytes that are not a D-Bus message.
    case malformedMessage
    /// The other side did not authenticate in time.
    case neverAuthenticated

    /// Text for the log.
    public var description: String {
      switch self {
      case .lost: "the connection ended"
      case .tooSlow: "the other side reads too slowly"
      case .overBudget:
        "the clients together, or the clients of one user, use too much memory, and this client uses most"
      case .oversizedMessage: "its message is too long"
      case .malformedMessage: "it sent a malformed message"
      case .neverAuthenticated: "it did not authenticate in time"
      }
    }
  }
}
