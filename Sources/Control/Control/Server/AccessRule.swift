internal import EventLoop
internal import Glibc

/// Who may do more than look.
///
/// The socket's mode comes first: 0660 lets root, the daemon's user and its group in, also those who
/// are in the group besides their own, and whoever is in may command. Where the mode lets everybody
/// in, that tells nothing, and the kernel's word about the peer decides: root, the daemon's user, or
/// its group as the peer's own. On a bus, the bus's policy decides alone.
package struct AccessRule: Equatable, Sendable {
  private let user: UInt32
  private let group: UInt32
  private let isOpenToAll: Bool

  /// - Parameters:
  ///   - mode: of the socket.
  ///   - user, group: of the daemon.
  package init(mode: UInt32, user: UInt32 = geteuid(), group: UInt32 = getegid()) {
    self.user = user
    self.group = group
    isOpenToAll = mode & 0o002 != 0
  }

  /// Whether someone may command.
  package func mayCommand(user: UInt32, group: UInt32) -> Bool {
    !isOpenToAll || user == 0 || user == self.user || group == self.group
  }

  func mayCommand(_ credentials: PeerCredentials?) -> Bool {
    credentials.map { mayCommand(user: $0.user, group: $0.group) } ?? true
  }
}
