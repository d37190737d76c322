internal import Glibc

/// The roles of users of the control socket. The role decides the rights (``AccessRight``).
package enum AccessRole: String, Sendable, CaseIterable {
  /// Root, and the user of the daemon.
  case owner
  /// The user `console`.
  case console
  /// The user `screen`.
  case screen
  /// Any other user who can open the socket, according to its mode and its group.
  case observer
}

/// The role of each user.
package struct AccessRule: Equatable, Sendable {
  private let owners: Set<UInt32>
  private let console: UInt32?
  private let screen: UInt32?

  /// - Parameters:
  ///   - user: the number of the user of the daemon.
  ///   - console, screen: the numbers of the users `console` and `screen`. Nil if the system has no such user.
  package init(user: UInt32, console: UInt32?, screen: UInt32?) {
    owners = [0, user]
    self.console = console
    self.screen = screen
  }

  /// The rule for the users of this system.
  package static var ofThisSystem: AccessRule {
    AccessRule(
      user: geteuid(), console: getpwnam("console")?.pointee.pw_uid,
      screen: getpwnam("screen")?.pointee.pw_uid)
  }

  /// The role of a user. On a desktop, all programs run as the user of the daemon, so their role is `owner`.
  package func role(ofUser user: UInt32) -> AccessRole {
    if owners.contains(user) { return .owner }
    return user == console ? .console : user == screen ? .screen : .observer
  }
}
