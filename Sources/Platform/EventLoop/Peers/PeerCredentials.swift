internal import CSystemd
internal import Glibc

/// The process that connected, from the kernel (`SO_PEERCRED`). A client cannot forge it.
public struct PeerCredentials: Equatable, Sendable, CustomStringConvertible {
  /// The process that connected. It may have passed the connection on, or may have ended.
  public let process: Int32
  /// The user of the process when it connected.
  public let user: UInt32
  /// The group of the process when it connected.
  public let group: UInt32

  init(of socket: Int32) throws(SystemError) {
    var credentials = csd_credentials()
    if csd_get_credentials(socket, &credentials) < 0 {
      throw SystemError("getsockopt(SO_PEERCRED)", errno)
    }
    (process, user, group) = (credentials.pid, credentials.uid, credentials.gid)
  }

  /// Text for a log.
  public var description: String { "process \(process) of user \(user)" }
}
