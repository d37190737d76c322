/// The volume of the head unit: one value with one owner, seen by every surface.
public struct Volume: Hashable, Sendable {
  /// What is kept over a restart.
  public struct Stored: Hashable, Sendable {
    /// Thousandths.
    public let level: Int
    /// Whether it was muted.
    public let isMuted: Bool

    /// As it was read back; any number is taken and cut off later.
    public init(level: Int, isMuted: Bool) {
      self.level = level
      self.isMuted = isMuted
    }
  }

  /// A press of a volume key: a fortieth of the way, under which a step is hardly heard.
  public static let keyStep = 25

  /// The level, also while muted.
  public private(set) var level: VolumeLevel
  /// Silent, but the level is remembered.
  public private(set) var isMuted: Bool

  /// A known level.
  public init(level: VolumeLevel, isMuted: Bool = false) {
    self.level = level
    self.isMuted = isMuted
  }

  /// What was stored, but no louder than `startMaximum`: nobody wants yesterday's motorway in
  /// today's garage. Without a stored value, half of that.
  public init(restoring stored: Stored?, startMaximum: VolumeLevel) {
    guard let stored else {
      self.init(level: VolumeLevel(thousandths: startMaximum.thousandths / 2))
      return
    }
    self.init(
      level: min(VolumeLevel(thousandths: stored.level), startMaximum), isMuted: stored.isMuted)
  }

  /// What to keep.
  public var stored: Stored { Stored(level: level.thousandths, isMuted: isMuted) }

  /// For the engine: decibels, 0 at the loudest; nil is silence.
  public var decibels: Double? { isMuted ? nil : LoudnessCurve.decibels(level) }

  /// Does what a surface asks.
  ///
  /// Louder ends muting, quieter does not: who turns down in silence wants less of it later. A
  /// level that is set ends muting, unless it is silence itself.
  public mutating func apply(_ request: VolumeRequest) {
    switch request {
    case .set(let level):
      self.level = level
      if level > .silent { isMuted = false }
    case .change(let thousandths):
      // Cut off first, so that no surface can make the sum overflow.
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

/// What a surface may ask of the volume.
public enum VolumeRequest: Hashable, Sendable, CustomStringConvertible {
  /// To this level.
  case set(VolumeLevel)
  /// Louder or quieter by thousandths; ``Volume/keyStep`` is a key's.
  case change(thousandths: Int)
  case setMuted(Bool)
  case toggleMuted

  /// For a trace: `+2.5 %`, `mute`.
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
