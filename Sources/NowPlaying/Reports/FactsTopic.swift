/// The subjects about which the head unit reports facts.
package enum FactsTopic: String, Hashable, Sendable, CaseIterable {
  /// A summary of the whole unit that fits on one screen, without the content that plays.
  case status
  /// The sound device.
  case audio
  /// Adapters, phones, the unit's player in BlueZ, and the commands of phones.
  case bluetooth
  /// Music folders, sticks, and the folder of the saved state.
  case storage
  /// Keys and knobs, and their last presses.
  case keys
  /// The start of this run of the daemon, and the end of the previous run.
  case boot
  /// The versions of all parts.
  case version
  /// Connectors, touch screens and backlights, and the program of the screen.
  case screen
  /// The devices that the kernel sees, and what uses them.
  case devices
  /// Memory and load of the machine and of its units. The answer takes half a second.
  case top
  /// The settings and their origins.
  case config
}

extension FactsReport {
  /// The label of the fact in ``FactsTopic/boot`` that states why the previous run of the daemon ended.
  package static let lastEndLabel = "last end"
}
