/// A time in a song: its duration, or a position in it.
///
/// The header of a file, a playlist and a saved file may state any number. A value of this type is within its limit, so
/// sums with it cannot overflow.
public struct SongTime: Hashable, Comparable, Sendable {
  /// The longest time: 46 days. No song is so long.
  public static let maximumMilliseconds: UInt32 = 4_000_000_000
  /// The start of a song. As a duration, it is not known.
  public static let zero = SongTime(0)

  // Four bytes, because a list may have thousands of songs.
  private let stored: UInt32

  private init(_ stored: UInt32) { self.stored = stored }

  /// Nil outside of the limit.
  public init?(milliseconds: some BinaryInteger) {
    guard let stored = UInt32(exactly: milliseconds), stored <= Self.maximumMilliseconds else {
      return nil
    }
    self.init(stored)
  }

  /// Nil outside of the limit, and for a number that is not finite.
  public init?(seconds: Double) {
    guard (0...Self.maximumSeconds).contains(seconds) else { return nil }
    self.init(UInt32((seconds * 1000).rounded()))  // in range: the guard above
  }

  /// The nearest time within the limit; the start for a number that is not a number.
  public init(nearestSeconds seconds: Double) {
    self = SongTime(seconds: min(seconds, Self.maximumSeconds)) ?? .zero
  }

  private static let maximumSeconds = Double(maximumMilliseconds) / 1000

  /// The time in milliseconds. A sum of two times is far from the largest `Int`.
  public var milliseconds: Int { Int(stored) }  // in range: widening

  /// The nearest number of seconds.
  var roundedSeconds: Int { (milliseconds + 500) / 1000 }

  /// The time in seconds.
  public var seconds: Double { Double(stored) / 1000 }

  /// The earlier time is less.
  public static func < (left: SongTime, right: SongTime) -> Bool { left.stored < right.stored }
}
