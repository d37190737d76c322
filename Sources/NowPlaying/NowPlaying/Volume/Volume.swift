/// The volume of the head unit. This is one value with one owner, and all surfaces show it.
public struct Volume: Hashable, Sendable {
  /// The values that are saved and restored at the next start.
  public struct Stored: Hashable, Sendable {
    /// The level in thousandths.
    public let level: Int
    /// True if the volume was muted.
    public let isMuted: Bool

    /// Creates the values as they were read. The level can be any number: ``Volume/init(restoring:startMaximum:)``
    /// limits it.
    public init(level: Int, isMuted: Bool) {
      self.level = level
      self.isMuted = isMuted
    }
  }

  /// The change by one press of a volume key, in thousandths: a fortieth of the range. A smaller change is hardly
  /// audible.
  public static let keyStep = 25

  /// The level. Muting does not change it.
  public private(set) var level: VolumeLevel
  /// True if the volume is muted.
  public private(set) var isMuted: Bool

  /// Creates a volume with this level.
  public init(level: VolumeLevel, isMuted: Bool = false) {
    self.level = level
    self.isMuted = isMuted
  }

  /// Creates the stored volume, limited to `startMaximum`. Without this limit, a high volume from the motorway would
  /// surprise people at the next start in a quiet garage. If no value was stored, the level is half of `startMaximum`.
  public init(restoring stored: Stored?, startMaximum: VolumeLevel) {
    guard let stored else {
      self.init(level: VolumeLevel(thousandths: startMaximum.thousandths / 2))
      return
    }
    self.init(
      level: min(VolumeLevel(thousandths: stored.level), startMaximum), isMuted: stored.isMuted)
  }

  /// The values to store.
  public var stored: Stored { Stored(level: level.thousandths, isMuted: isMuted) }

  /// The gain for the engine in decibels: 0 for the loudest level, nil for silence.
  public var decibels: Double? { isMuted ? nil : LoudnessCurve.decibels(level) }

  /// Applies a request of a surface.
  ///
  /// A request for more volume ends muting. A request for less volume does not end muting, because a person who lowers
  /// a muted volume prepares a lower level for later. A request that sets a level above 0 ends muting.
  public mutating func apply(_ request: VolumeRequest) {
    switch request {
    case .set(let level):
      self.level = level
      if level > .silent { isMuted = false }
    case .change(let thousandths):
      // The change is limited before the addition. So the sum does not overflow for any number that a surface sends.
      level = VolumeLevel(
        thousandths: level.thousandths + min(max(thousandths, -1000), 1000))
      if thousandths > 0 { isMuted = false }
    case .setMuted(let muted):
      isMuted = muted
    case .toggleMuted:
      isMuted.toggle()
    }
  }
}

/// A request of a surface to change the volume.
public enum VolumeRequest: Hashable, Sendable, CustomStringConvertible {
  /// Sets this level.
  case set(VolumeLevel)
  /// Changes the level by a number of thousandths; a positive number is louder. One press of a key changes the level by
  /// ``Volume/keyStep``.
  case change(thousandths: Int)
  case setMuted(Bool)
  case toggleMuted

  /// Text for traces: `+2.5 %`, `mute`.
  public var description: String {
    switch self {
    case .set(let level): "\(level)"
    case .change(let thousandths):
      "\(thousandths < 0 ? "-" : "+")\((Double(thousandths.magnitude) / 10).shortText) %"
    case .setMuted(let muted): muted ? "mute" : "unmute"
    case .toggleMuted: "mute or unmute"
    }
  }
}
