/// A time in a song: its duration, or a position in it.
///
/// The header of a music file, a playlist and a saved file can contain any number. This type permits only times within
/// a limit, so sums of times cannot overflow.
public struct SongTime: Hashable, Comparable, Sendable {
  /// The longest time: 46 days. No song is so long.
  public static let maximumMilliseconds: UInt32 = 4_000_000_000
  /// Zero. As a position, it means the start of a song; as a duration, it means unknown.
  public static let zero = SongTime(0)

  // 32 bits are enough, and save memory because a list can contain thousands of songs.
  private let stored: UInt32

  private init(_ stored: UInt32) { self.stored = stored }

  /// Returns nil if the number is negative or above ``maximumMilliseconds``.
  public init?(milliseconds: some BinaryInteger) {
    guard let stored = UInt32(exactly: milliseconds), stored <= Self.maximumMilliseconds else {
      return nil
    }
    self.init(stored)
  }

  /// Returns nil if the number is negative, too large or not finite.
  public init?(seconds: Double) {
    guard (0...Self.maximumSeconds).contains(seconds) else { return nil }
    self.init(UInt32((seconds * 1000).rounded()))  // in range: the guard above
  }

  /// Uses the nearest permitted time for a number outside of the permitted range, and ``zero`` for NaN.
  public init(nearestSeconds seconds: Double) {
    self = SongTime(seconds: min(seconds, Self.maximumSeconds)) ?? .zero
  }

  private static let maximumSeconds = Double(maximumMilliseconds) / 1000

  /// The time in milliseconds. A sum of two of these numbers is far below the largest `Int`.
  public var milliseconds: Int { Int(stored) }  // in range: widening

  /// The time in seconds, rounded.
  var roundedSeconds: Int { (milliseconds + 500) / 1000 }

  /// The time in seconds.
  public var seconds: Double { Double(stored) / 1000 }

  /// Compares two times.
  public static func < (left: SongTime, right: SongTime) -> Bool { left.stored < right.stored }
}
