// The name of a test begins with the number of its rule in docs/now-playing.md.

import NowPlaying
import TestKit
import Testing

/// Tests the order in which the queue plays its entries, with repeat and shuffle: rule S3.
@Suite struct PlayQueueTests {
  private func queue(_ count: Int) -> PlayQueue<String> { PlayQueue((0..<count).map { "t\($0)" }) }

  private func order(_ queue: PlayQueue<String>) -> [String] { queue.playingOrder.map(\.item) }

  private func upNext(_ queue: PlayQueue<String>, _ limit: Int = 99) -> [String] {
    queue.upNext(limit: limit).map(\.item)
  }

  @Test func S3_extend_addsAtTheEnd_andRemovesWhatWasHeardLongAgo() {
    var queue = PlayQueue(["a", "b", "c", "d"])
    queue.move(to: queue.entries[2].id)
    let current = queue.currentID
    queue.extend(["e", "f"], keeping: 1)
    #expect(queue.playingOrder.map(\.item) == ["b", "c", "d", "e", "f"])
    #expect(queue.entries.map(\.item) == ["b", "c", "d", "e", "f"])
    #expect(queue.currentID == current && !queue.canUndo)
    queue.extend(["g"], keeping: 10)
    #expect(queue.count == 6)
  }

  @Test func S3_setPreceding_ofAShuffledOrder_isWherePreviousGoes_andAllOthersFollow() throws {
    var queue = queue(9)
    var random = SeededRandom(3)
    queue.setPreceding(queue.ids[4])
    #expect(order(queue) == (0..<9).map { "t\($0)" }, "an unshuffled order stays")
    queue.setShuffled(true, using: &random)
    queue.move(to: queue.ids[5])
    let current = try #require(queue.current?.item)
    let before = queue.ids[8]
    queue.setPreceding(before)
    #expect(queue.current?.item == current)
    #expect(Set(order(queue)).count == 9 && queue.index(of: before) == 0)
    #expect(queue.upNext(limit: 99).count == 7)
    #expect(queue.goBack()?.id == before)
    #expect(queue.advance(isAsked: true)?.item == current)
    let revision = queue.revision
    queue.setPreceding(before)
    queue.setPreceding(999)
    #expect(queue.revision == revision, "nothing to change")
  }

  @Test func S3_setLastOfFormerRound_isWherePreviousGoesFromTheBeginningOfARound() {
    var queue = queue(9)
    var random = SeededRandom(3)
    queue.repeatMode = .all
    queue.setShuffled(true, using: &random)
    let order = queue.ids
    queue.setLastOfFormerRound(order[3])
    #expect(queue.currentID.flatMap(queue.preceding) == order[3])
    #expect(queue.ids == order)
    queue.move(to: order[5])
    queue.setLastOfFormerRound(order[2])
    #expect(queue.currentID.flatMap(queue.preceding) == order[4])
  }

  @Test func S3_avoidedEntries_areLeftOutOfAShuffledOrderOnly() {
    var queue = queue(6)
    var random = SeededRandom(4)
    queue.setAvoided { ["t1", "t3", "t5"].contains($0) }
    #expect(upNext(queue) == ["t1", "t2", "t3", "t4", "t5"])
    queue.setShuffled(true, using: &random)
    queue.repeatMode = .all
    #expect(Set(upNext(queue)) == ["t2", "t4"])
    let heard = (0..<12).compactMap { _ in queue.advance(isAsked: false)?.item }
    #expect(heard.count == 12 && Set(heard) == ["t0", "t2", "t4"])
    for start in 0..<heard.count - 1 { #expect(heard[start] != heard[start + 1]) }
    queue.setAvoided { _ in true }
    #expect(upNext(queue).count == 5)
  }

  @Test func S3_repeatOff_stopsAtBothEnds() {
    var queue = queue(2)
    let steps = [
      queue.goBack(), queue.advance(isAsked: false), queue.advance(isAsked: false),
      queue.advance(isAsked: true), queue.goBack(),
    ]
    #expect(steps.map { $0?.item } == [nil, "t1", nil, nil, "t0"])
    #expect(queue.current?.item == "t0")
  }

  @Test func S3_repeatAll_wrapsAround() {
    var queue = queue(3)
    queue.repeatMode = .all
    let steps = [queue.goBack(), queue.advance(isAsked: false)]
    #expect(steps.map { $0?.item } == ["t2", "t0"])
  }

  @Test func S3_repeatOne_repeatsUnlessNextIsRequested() {
    var queue = queue(3)
    queue.repeatMode = .one
    let steps = [false, true, false].map { queue.advance(isAsked: $0)?.item }
    #expect(steps == ["t0", "t1", "t1"])
  }

  @Test func S3_upNext_listsEachFollowingTrackOnce() {
    var queue = queue(5)
    queue.advance(isAsked: true)
    #expect(upNext(queue) == ["t2", "t3", "t4"])
    #expect(upNext(queue, 2) == ["t2", "t3"])
    queue.repeatMode = .all
    #expect(
      upNext(queue) == ["t2", "t3", "t4", "t0"], "each entry once, without the current entry")
    queue.repeatMode = .one
    #expect(upNext(queue).first == "t2")
    #expect(upNext(PlayQueue<String>()) == [])
    var one = self.queue(1)
    one.repeatMode = .all
    #expect(upNext(one) == [])
  }

  @Test func S3_shuffle_isAPermutation_startingWithTheCurrentTrack() {
    var random = SeededRandom(3)
    var queue = queue(50)
    queue.move(to: queue.entries[17].id)
    queue.setShuffled(true, using: &random)
    #expect(queue.current?.item == "t17")
    #expect(order(queue).first == "t17")
    #expect(Set(order(queue)).count == 50)
    #expect(order(queue) != queue.entries.map(\.item))
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func S3_newShuffleRound_isAnotherOrder_andBeginsWithAnotherTrack(seed: UInt64) throws {
    var random = SeededRandom(seed)
    var queue = PlayQueue((0..<12).map { "\($0)" })
    queue.repeatMode = .all
    queue.setAbsent { $0 == "3" }
    queue.setShuffled(true, using: &random)
    var last = try #require(queue.current)
    var rounds: [[Int]] = []
    for round in 0..<4 {
      var heard = [last.id]
      while heard.count < 11 {
        let expected = queue.upNext(limit: 11 - heard.count).map(\.id)
        let next = queue.advance(isAsked: false)
        #expect(next?.id == expected.first)
        heard.append(next?.id ?? 0)
      }
      #expect(Set(heard).count == 11, "round \(round): each track that is there plays once")
      rounds.append(heard)
      let ending = heard[10]
      let expected = queue.upNext(limit: 30).map(\.id)
      #expect(Set(expected).count == 10 && !expected.contains(ending))
      #expect(queue.preceding(ending) == heard[9])
      let revision = queue.revision
      let beginning = queue.advance(isAsked: false)
      last = try #require(beginning)
      #expect(last.id == expected.first && last.id != ending)
      #expect(
        queue.upNext(limit: 30).map(\.id).filter { $0 != ending } == Array(expected.dropFirst()))
      #expect(queue.revision > revision, "the new order is saved")
      #expect(queue.preceding(last.id) == ending, "previous returns to the track that was heard")
      var restored = PlayQueue<String>()
      restored.restore(queue.saved)
      #expect(restored.ids == queue.ids)
    }
    #expect(Set(rounds).count == 4)
  }

  @Test func S3_newRoundOfTwoTracks_alternates_andOneTrackRepeats() throws {
    var random = SeededRandom(4)
    var two = PlayQueue(["a", "b"])
    two.repeatMode = .all
    two.setShuffled(true, using: &random)
    let items = (0..<9).map { _ in two.advance(isAsked: false)?.item }
    #expect(zip(items, items.dropFirst()).allSatisfy { $0 != $1 })
    var one = PlayQueue(["a"])
    one.repeatMode = .all
    one.setShuffled(true, using: &random)
    #expect(one.advance(isAsked: false)?.item == "a")
    #expect(one.upNext(limit: 5).isEmpty)
  }

  @Test func S3_newRoundWithGivenNextEntries_putsTheseFirst() throws {
    var random = SeededRandom(5)
    var queue = PlayQueue((0..<8).map { "\($0)" })
    queue.repeatMode = .all
    queue.setShuffled(true, using: &random)
    for _ in 0..<7 { queue.advance(isAsked: false) }
    let first = try #require(queue.following(queue.currentID!, isAsked: false))
    let given = queue.ids.filter { $0 != first }.suffix(2)
    #expect(queue.beginsRound(with: first) && !queue.beginsRound(with: given.first!))
    queue.beginRound(next: Array(given))
    #expect(queue.currentID == first && Array(queue.ids.prefix(3)) == [first] + given)
    #expect(Set(queue.ids).count == 8)
  }

  @Test func S3_previous_returnsThroughThePlayedTracks() {
    var random = SeededRandom(4)
    var queue = queue(10)
    queue.setShuffled(true, using: &random)
    var played = [queue.current!.item]
    while let entry = queue.advance(isAsked: false) { played.append(entry.item) }
    #expect(Set(played).count == 10, "no entry repeats before all have played")
    var back: [String] = []
    while let entry = queue.goBack() { back.append(entry.item) }
    #expect(back == played.dropLast().reversed())
  }

  @Test func S3_shuffleOff_keepsTheCurrentTrack_andRestoresTheOrder() {
    var random = SeededRandom(5)
    var queue = queue(20)
    queue.setShuffled(true, using: &random)
    for _ in 0..<7 { queue.advance(isAsked: true) }
    let current = queue.current!.item
    queue.setShuffled(false, using: &random)
    #expect(queue.current?.item == current)
    #expect(order(queue) == queue.entries.map(\.item))
    let number = Int(current.dropFirst())!
    #expect(upNext(queue).first == (number < 19 ? "t\(number + 1)" : nil))
  }

  @Test func S3_shuffleWithGivenNextEntries_putsTheseFirst() {
    var random = SeededRandom(6)
    var queue = queue(30)
    let given = [queue.entries[4].id, queue.entries[9].id, 999]
    queue.setShuffled(true, next: given, using: &random)
    #expect(order(queue).prefix(3) == ["t0", "t4", "t9"])
    #expect(Set(order(queue)).count == 30)
  }

  @Test func S3_playNext_isNext_inBothOrders() {
    var random = SeededRandom(8)
    var queue = queue(5)
    queue.advance(isAsked: true)
    queue.playNext("new")
    #expect(upNext(queue).first == "new")
    queue.setShuffled(true, using: &random)
    queue.playNext("newer")
    #expect(upNext(queue).first == "newer")
    queue.setShuffled(false, using: &random)
    #expect(order(queue) == ["t0", "t1", "newer", "new", "t2", "t3", "t4"])
  }

  @Test func S3_append_insertsIntoTheRestOfAShuffledRound() {
    var random = SeededRandom(9)
    for _ in 0..<50 {
      var queue = queue(6)
      queue.setShuffled(true, using: &random)
      for _ in 0..<3 { queue.advance(isAsked: true) }
      queue.append(["new"])
      #expect(upNext(queue).contains("new"))
    }
    var plain = queue(2)
    plain.append(["new"])
    #expect(order(plain) == ["t0", "t1", "new"])
    var empty = PlayQueue<String>()
    empty.append(["first"])
    #expect(empty.current?.item == "first")
  }

  @Test func S3_remove_keepsTheNumbersOfOtherEntries() {
    var queue = queue(3)
    let ids = queue.entries.map(\.id)
    queue.remove(ids[0])
    #expect(queue.current?.item == "t1", "the next entry replaces the removed current entry")
    #expect(queue.following(ids[1], isAsked: false) == ids[2])
    queue.remove(ids[2])
    queue.remove(ids[1])
    queue.remove(ids[1])
    let nothing = (queue.advance(isAsked: true), queue.move(to: ids[1]))
    #expect(queue.current == nil && nothing.0 == nil && !nothing.1)
    let new = queue.playNext("x")
    #expect(new > ids[2], "a number is never used again")
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func S3_randomChanges_keepAnOrderOfAllEntries_andACurrentEntry(seed: UInt64) {
    var random = SeededRandom(seed)
    var queue = queue(random.below(8))
    for step in 0..<200 {
      switch random.below(8) {
      case 0: queue.setShuffled(random.chance(50), using: &random)
      case 1: queue.playNext("n\(step)")
      case 2: queue.append(["a\(step)"])
      case 3:
        if let entry = queue.entries.randomElement(using: &random) { queue.remove(entry.id) }
      case 4: queue.repeatMode = MediaCommand.RepeatMode.allCases.randomElement(using: &random)!
      case 5: queue.goBack()
      default: queue.advance(isAsked: random.chance(50))
      }
      let ids = queue.playingOrder.map(\.id)
      #expect(ids.sorted() == queue.entries.map(\.id).sorted(), "seed \(seed), step \(step)")
      #expect(queue.isShuffled || ids == queue.entries.map(\.id), "seed \(seed), step \(step)")
      #expect((queue.current == nil) == queue.entries.isEmpty, "seed \(seed), step \(step)")
      let next = queue.upNext(limit: 99).map(\.id)
      #expect(Set(next).count == next.count, "seed \(seed), step \(step)")
    }
  }
}
