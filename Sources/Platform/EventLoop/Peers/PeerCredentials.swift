internal import CSystemd
internal import Glibc

/// Who connected, as the kernel says (`SO_PEERCRED`): nobody can say it wrong.
public struct PeerCredentials: Equatable, Sendable, CustomStringConvertible {
  /// The process that connected; it may have handed the connection on, and may have ended.
  public let process: Int32
  /// Its user then.
  public let user: UInt32
  /// Its group then.
  public let group: UInt32

  init(of socket: Int32) throws(SystemError) {
    var credentials = csd_credentials()
    if csd_get_credentials(socket, &credentials) < 0 {
      throw SystemError("getsockopt(SO_PEERCRED)", errno)
    }
    (process, user, group) = (credentials.pid, credentials.uid, credentials.gid)
  }

  /// For a log.
  public var description: String { "process \(process) of user \(user)" }
}
