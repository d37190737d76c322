internal import CSystemd
internal import Glibc

/// The process that connected, as the kernel reports it (`SO_PEERCRED`). A client cannot forge these values.
public struct PeerCredentials: Equatable, Sendable, CustomStringConvertible {
  /// The number of the process that connected. Meanwhile, this process can have ended, or can have passed the
  /// connection to another process.
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
