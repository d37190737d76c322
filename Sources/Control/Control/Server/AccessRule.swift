internal import EventLoop
internal import Glibc

/// Decides which clients may send commands, and not only read.
///
/// The mode of the socket decides first. With 0660, only root, the daemon's user and members of the
/// daemon's group (also supplementary members) can connect, and each of them may send commands. If
/// the mode permits all users to connect, the peer's credentials decide: root, the daemon's user,
/// or a process whose own group is the daemon's. On a bus, only the bus's policy decides.
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
