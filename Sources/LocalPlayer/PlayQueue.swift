/// What happens at the end of the queue, or of a track.
public enum RepeatMode: Sendable, Equatable, CaseIterable {
  case off
  case one
  case all
}

/// The order in which tracks play: a value, without files or sound.
///
/// Shuffle is a permutation of the whole queue, so *previous* walks back through what was heard,
/// and nothing comes twice before all came once. Places count through that order.
public struct PlayQueue: Sendable {
  /// How many tracks there are.
  public let count: Int
  /// Track numbers in playing order.
  private var order: [Int]
  /// Where in the order the current track stands.
  public private(set) var place = 0
  /// What happens at the end.
  public var repeatMode = RepeatMode.off
  /// Whether the order is a shuffled one.
  public private(set) var isShuffled = false

  /// The tracks 0 ..< `count`, in order.
  public init(count: Int) {
    self.count = count
    order = Array(0..<count)
  }

  /// The track at a place in the order.
  public func track(at place: Int) -> Int { order[place] }

  /// Where a track stands in the order.
  public func place(of track: Int) -> Int { order.firstIndex(of: track) ?? 0 }

  /// Makes a place the current one.
  public mutating func move(to place: Int) { self.place = place }

  /// The place after `place`: by itself, or because somebody asked (which leaves a track that
  /// repeats). Nil at the end.
  public func following(_ place: Int, isAsked: Bool) -> Int? {
    guard count > 0 else { return nil }
    if repeatMode == .one, !isAsked { return place }
    if place + 1 < count { return place + 1 }
    return repeatMode == .off ? nil : 0
  }

  /// The place before `place`; nil at the beginning.
  public func preceding(_ place: Int) -> Int? {
    guard count > 0 else { return nil }
    if place > 0 { return place - 1 }
    return repeatMode == .off ? nil : count - 1
  }

  /// Shuffles what comes, the current track first; or returns to the original order at the
  /// current track.
  ///
  /// - Parameter next: the tracks that will follow in any case, so that none is left out.
  public mutating func setShuffled(
    _ shuffled: Bool, next: [Int] = [], using random: inout some RandomNumberGenerator
  ) {
    guard shuffled != isShuffled, count > 0 else { return }
    isShuffled = shuffled
    let current = order[place]
    order = Array(0..<count)
    if shuffled {
      var first = [current]
      for track in next where !first.contains(track) { first.append(track) }
      order.removeAll { first.contains($0) }
      order.shuffle(using: &random)
      order = first + order
      place = 0
    } else {
      place = current
    }
  }
}
