internal import NowPlaying

/// A seek key that is held down: jumps that become wider the longer it is held, as a value. It ends
/// with the track in which it began; the next one plays.
struct HeldSeek {
  /// Sounds between two jumps are long enough to recognise the place.
  static let interval = Duration.milliseconds(250)
  /// Times real time, doubled with each of these.
  static let firstRate = 4.0
  static let lastRate = 32.0
  static let doubling = Duration.seconds(2)

  /// In which it began; see ``LocalPlayer/playingID``.
  let playingID: Int
  private let direction: Double
  private let began: MonotonicInstant
  private var position: Double
  /// When the next jump is due.
  private(set) var nextStep: MonotonicInstant
  /// How fast content goes by now; negative backwards.
  private(set) var rate: Double

  /// - Parameters:
  ///   - position: seconds in the track.
  ///   - direction: 1 forwards, −1 back.
  init(of playingID: Int, from position: Double, direction: Double, at now: MonotonicInstant) {
    self.playingID = playingID
    self.position = position
    self.direction = direction
    began = now
    nextStep = now
    rate = direction * Self.firstRate
  }

  /// Where to jump, if it is time; to the end of the track only once.
  mutating func step(at now: MonotonicInstant, end: Double?) -> Double? {
    guard now >= nextStep else { return nil }
    nextStep = now.advanced(by: Self.interval)
    let end = end ?? .infinity
    guard position < end || direction < 0 else { return nil }
    let doublings = Int(now.awakeTime(since: began) / Self.doubling)
    var speed = Self.firstRate
    for _ in 0..<min(doublings, 8) where speed < Self.lastRate { speed *= 2 }
    rate = direction * speed
    position = min(max(0, position + rate * Self.interval.seconds), end)
    return position
  }
}
