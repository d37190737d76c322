internal import NowPlaying

/// The state of a seek while a key is held. The seek consists of jumps. The longer the key is held, the wider the jumps
/// are. The seek ends with the track in which it began. The next track plays normally.
struct HeldSeek {
  /// Time between two jumps. The sound between two jumps is long enough to recognise the position in the music.
  static let interval = Duration.milliseconds(250)
  /// The speed at the beginning, as a multiple of real time.
  static let firstRate = 4.0
  /// The highest speed, as a multiple of real time.
  static let lastRate = 32.0
  /// After each interval of this length the speed doubles.
  static let doubling = Duration.seconds(2)

  /// Identifies the playing of the track during which the seek began. See ``LocalPlayer/playingID``.
  let playingID: Int
  private let direction: Double
  private let began: MonotonicInstant
  private var position: Double
  /// The time at which the next jump is due.
  private(set) var nextStep: MonotonicInstant
  /// The current speed as a multiple of real time. Negative for a seek backwards.
  private(set) var rate: Double

  /// - Parameters:
  ///   - position: seconds in the track.
  ///   - direction: 1 forwards, −1 backwards.
  init(of playingID: Int, from position: Double, direction: Double, at now: MonotonicInstant) {
    self.playingID = playingID
    self.position = position
    self.direction = direction
    began = now
    nextStep = now
    rate = direction * Self.firstRate
  }

  /// If a jump is due, returns the target position in seconds. Otherwise returns nil. A jump to the end of the track
  /// happens only once.
  mutating func step(at now: MonotonicInstant, end: Double?) -> Double? {
    guard now >= nextStep else { return nil }
    nextStep = now.advanced(by: Self.interval)
    let end = end ?? .infinity
    guard position < end || direction < 0 else { return nil }
    let doublings = Int(now.awakeTime(since: began) / Self.doubling)
    var speed = Self.firstRate
    for _ in 0..<min(doublings, 8) where speed < Self.lastRate { speed *= 2 }
    rate = direction * speed
    position = min(max(0, position + rate * Self.interval.inSeconds), end)
    return position
  }
}
