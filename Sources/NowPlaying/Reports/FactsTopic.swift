/// What the head unit can be asked to tell of itself as facts.
package enum FactsTopic: String, Hashable, Sendable, CaseIterable {
  /// The whole on one screen, but for what plays.
  case status
  /// The sound device.
  case audio
  /// Radios, phones, the player that BlueZ has of us, and what phones sent.
  case bluetooth
  /// Music folders, sticks, and where the state is kept.
  case storage
  /// Keys and knobs, and what was pressed.
  case keys
  /// How it started, and how it ended before.
  case boot
  /// Versions of every part.
  case version
  /// Settings, and where from.
  case config
}

extension FactsReport {
  /// In the facts of ``FactsTopic/boot``: the label of why the daemon ended the last time.
  package static let lastEndLabel = "last end"
}
