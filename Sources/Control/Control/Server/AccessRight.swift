internal import EventLoop
internal import NowPlaying
internal import Reports

/// A permission of a client. `docs/control.md` contains a table of these rights, and a test compares the table with the
/// code.
package enum AccessRight: String, Sendable, CaseIterable {
  /// Read and follow states, covers and facts.
  case look
  /// Command playback and choose what plays; be a surface.
  case play
  /// Open and close the pairing window, and answer the pairing request of a phone.
  case pair
  /// Search a volume for new files, read a volume again, or forget a volume.
  case sources
  /// Change the settings of the driver, and set the time of day.
  case settings
  /// Find, add, connect, rename and remove phones.
  case phones
  /// Read the log and the trace of commands.
  case log
  /// Be a source: publish what plays, and play sound.
  case publish
  /// Play the chime, and begin and end interruptions and ducks.
  case act
  /// Start the daemon normally after safe mode.
  case retry
  /// Erase the personal data.
  case erase
  /// Restart the machine or switch it off.
  case power
  /// Open a shell.
  case shell
  /// Tell the unit whether the car is parked.
  case vehicle

  /// The rights of a role.
  package static func rights(of role: AccessRole) -> Set<AccessRight> {
    switch role {
    case .owner: Set(allCases)
    case .console: Set(allCases).subtracting([.publish, .vehicle])
    case .screen: [.look, .play, .pair, .sources, .phones, .settings, .retry, .erase]
    case .app: [.publish]
    case .observer: [.look]
    }
  }

  /// True if the calls that need this right only read.
  var onlyReads: Bool { self == .look || self == .log }

  /// Throws if the role does not have this right.
  func require(_ role: AccessRole) throws {
    if Self.rights(of: role).contains(self) { return }
    func may(_ role: AccessRole) -> Bool { Self.rights(of: role).contains(self) }
    let users =
      may(.app)
      ? "root, the user of the daemon and the users of apps"
      : may(.screen)
        ? "root, the user of the daemon and the users 'console' and 'screen'"
        : may(.console)
          ? "root, the user of the daemon and the user 'console'"
          : "root and the user of the daemon"
    throw RefusalCoding.error(
      BusErrorName.accessDenied, Refusal(.notAllowed, "only \(users) may do this"))
  }
}
