internal import EventLoop
internal import Glibc

/// Decides which clients may send commands. Other clients may only read.
///
/// The kernel checks the mode of the socket first. With 0660, only root, the daemon's user and
/// members of the daemon's group (including supplementary members) can connect. Each of them may
/// send commands. If the mode permits all users to connect, the credentials of the peer decide:
/// root, the daemon's user, and processes whose primary group is the daemon's group may send
/// commands. On a bus, only the policy of the bus decides.
package struct AccessRule: Equatable, Sendable {
  private let user: UInt32
  private let group: UInt32
  private let isOpenToAll: Bool

  /// - Parameters:
  ///   - mode: the mode of the socket.
  ///   - user, group: the user and group of the daemon.
  package init(mode: UInt32, user: UInt32 = geteuid(), group: UInt32 = getegid()) {
    self.user = user
    self.group = group
    isOpenToAll = mode & 0o002 != 0
  }

  /// True if a peer with this user and group may send commands.
  package func mayCommand(user: UInt32, group: UInt32) -> Bool {
    !isOpenToAll || user == 0 || user == self.user || group == self.group
  }

  func mayCommand(_ credentials: PeerCredentials?) -> Bool {
    credentials.map { mayCommand(user: $0.user, group: $0.group) } ?? true
  }
}
