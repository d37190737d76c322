import Testing

@testable import LocalPlayer

@Suite struct PlayQueueTests {
  /// The same sequence each time.
  private struct Counter: RandomNumberGenerator {
    var state: UInt64 = 42
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state
    }
  }

  @Test func following_withoutRepeat_endsAtTheEnd() {
    let queue = PlayQueue(count: 3)
    #expect(queue.following(0, isAsked: false) == 1)
    #expect(queue.following(2, isAsked: false) == nil)
    #expect(queue.following(2, isAsked: true) == nil)
    #expect(queue.preceding(0) == nil)
  }

  @Test func following_repeatAll_goesRound() {
    var queue = PlayQueue(count: 3)
    queue.repeatMode = .all
    #expect(queue.following(2, isAsked: false) == 0)
    #expect(queue.preceding(0) == 2)
  }

  @Test func following_repeatOne_staysUnlessAsked() {
    var queue = PlayQueue(count: 3)
    queue.repeatMode = .one
    #expect(queue.following(1, isAsked: false) == 1)
    #expect(queue.following(1, isAsked: true) == 2)
    #expect(queue.following(2, isAsked: true) == 0)
  }

  @Test func shuffle_isAPermutationThatStartsWithTheCurrentTrack() {
    var random = Counter()
    var queue = PlayQueue(count: 50)
    queue.move(to: 17)
    queue.setShuffled(true, using: &random)
    #expect(queue.place == 0)
    #expect(queue.track(at: 0) == 17)
    let tracks = (0..<50).map { queue.track(at: $0) }
    #expect(tracks.sorted() == Array(0..<50))
    #expect(tracks != tracks.sorted())
  }

  @Test func shuffle_off_keepsTheCurrentTrackAndTheOldOrder() {
    var random = Counter()
    var queue = PlayQueue(count: 50)
    queue.setShuffled(true, using: &random)
    queue.move(to: 10)
    let current = queue.track(at: 10)
    queue.setShuffled(false, using: &random)
    #expect(queue.place == current)
    #expect((0..<50).map { queue.track(at: $0) } == Array(0..<50))
  }

  @Test func shuffle_walksBackThroughWhatWasHeard() {
    var random = Counter()
    var queue = PlayQueue(count: 10)
    queue.setShuffled(true, using: &random)
    var heard: [Int] = []
    for place in 0..<10 { heard.append(queue.track(at: place)) }
    var place = 9
    for track in heard.reversed() {
      #expect(queue.track(at: place) == track)
      place = queue.preceding(place) ?? 0
    }
  }

  @Test func emptyQueue_hasNothing() {
    let queue = PlayQueue(count: 0)
    #expect(queue.following(0, isAsked: true) == nil)
    #expect(queue.preceding(0) == nil)
  }
}
