/// The volume of the head unit: one value with one owner, which all surfaces show.
public struct Volume: Hashable, Sendable {
  /// The values that are kept over a restart.
  public struct Stored: Hashable, Sendable {
    /// The level in thousandths.
    public let level: Int
    /// True if the volume was muted.
    public let isMuted: Bool

    /// The values as they were read. Any number is accepted; it is limited later.
    public init(level: Int, isMuted: Bool) {
      self.level = level
      self.isMuted = isMuted
    }
  }

  /// One press of a volume key, in thousandths: a fortieth of the range. A smaller step is hardly
  /// audible.
  public static let keyStep = 25

  /// The level; it is kept while muted.
  public private(set) var level: VolumeLevel
  /// True if the volume is muted. The level is kept.
  public private(set) var isMuted: Bool

  /// A volume with this level.
  public init(level: VolumeLevel, isMuted: Bool = false) {
    self.level = level
    self.isMuted = isMuted
  }

  /// The stored volume, but at most `startMaximum`, so that a volume set on the motorway does not
  /// surprise you in the garage. Half of `startMaximum` if no value was stored.
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

  /// The gain for the engine in decibels, 0 for the loudest level; nil for silence.
  public var decibels: Double? { isMuted ? nil : LoudnessCurve.decibels(level) }

  /// Applies a request of a surface.
  ///
  /// A request for more volume ends muting. A request for less volume does not, because a person
  /// who lowers a muted volume prepares a lower level for later. A request that sets a level ends
  /// muting, except for level 0.
  public mutating func apply(_ request: VolumeRequest) {
    switch request {
    case .set(let level):
      self.level = level
      if level > .silent { isMuted = false }
    case .change(let thousandths):
      // Limited before the addition, so that no value of a surface can make the sum overflow.
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

/// A request of a surface to the volume.
public enum VolumeRequest: Hashable, Sendable, CustomStringConvertible {
  /// Sets this level.
  case set(VolumeLevel)
  /// Louder or quieter by thousandths; a key changes ``Volume/keyStep``.
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
