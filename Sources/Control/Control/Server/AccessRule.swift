internal import Glibc
package import NowPlaying

/// The roles of users of the control socket. The role decides the rights (``AccessRight``).
package enum AccessRole: String, Sendable, CaseIterable {
  /// Root, and the user of the daemon.
  case owner
  /// The user `console`.
  case console
  /// The user `screen`.
  case screen
  /// The user of an app, a program that is a source (``AppAccess``).
  case app
  /// Any other user who can open the socket, according to its mode and its group.
  case observer
}

/// The role of each user.
package struct AccessRule: Equatable, Sendable {
  private let owners: Set<UInt32>
  private let console: UInt32?
  private let screen: UInt32?
  let apps: [AppAccess]

  /// - Parameters:
  ///   - user: the number of the user of the daemon.
  ///   - console, screen: the numbers of the users `console` and `screen`. Nil if the system has no such user.
  ///   - apps: the programs that can be sources.
  package init(user: UInt32, console: UInt32?, screen: UInt32?, apps: [AppAccess] = []) {
    owners = [0, user]
    self.console = console
    self.screen = screen
    self.apps = apps
  }

  /// The rule for the users of this system.
  package static var ofThisSystem: AccessRule { ofThisSystem(apps: []) }

  /// The rule for the users of this system.
  package static func ofThisSystem(apps: [AppAccess]) -> AccessRule {
    AccessRule(
      user: geteuid(), console: user("console"), screen: user("screen"), apps: apps)
  }

  /// The number of the user with this name. Nil if the system has no such user.
  package static func user(_ name: String) -> UInt32? { getpwnam(name)?.pointee.pw_uid }

  /// The role of a user. On a desktop, all programs run as the user of the daemon, so their role is `owner`.
  package func role(ofUser user: UInt32) -> AccessRole {
    if owners.contains(user) { return .owner }
    if user == console { return .console }
    if user == screen { return .screen }
    return apps.contains { $0.user == user } ? .app : .observer
  }

  /// What a user may do as the app with this identity. An owner can be any app. Nil if the app is not one of this user.
  func app(_ id: String, ofUser user: UInt32) -> AppAccess? {
    let known = apps.first { $0.id == id }
    if owners.contains(user) {
      return AppAccess(
        id: id, user: user, name: known?.name, mayPrompt: true, mayClaimForPerson: true)
    }
    return known?.user == user ? known : nil
  }
}

/// A program that can be a source, and what it is permitted to do.
package struct AppAccess: Equatable, Sendable {
  /// The identity: 1 to 32 small letters, digits and `-`, beginning with a letter.
  package let id: String
  /// The number of the user of the program. The identity belongs to this user only.
  package let user: UInt32
  /// The name for people. Nil if the app chooses its name.
  package let name: String?
  /// The picture of the app. Nil if it has none.
  package let picture: ButtonPicture?
  /// True if the app may speak over music.
  package let mayPrompt: Bool
  /// True if the unit believes the app that a person has started playback.
  package let mayClaimForPerson: Bool

  package init(
    id: String, user: UInt32, name: String? = nil, picture: ButtonPicture? = nil,
    mayPrompt: Bool = false,
    mayClaimForPerson: Bool = false
  ) {
    self.id = id
    self.user = user
    self.name = name
    self.picture = picture
    self.mayPrompt = mayPrompt
    self.mayClaimForPerson = mayClaimForPerson
  }
}
