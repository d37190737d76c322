// The name of a test begins with the number of its rule in docs/now-playing.md.

public import NowPlaying
import TestKit
import Testing

/// A song of a test: `a3` is the third song of the album `a`. The number of `a` is not known.
extension String: QueueItem {
  public var albumIdentity: String { String(prefix(1)) }
  public var numberInAlbum: UInt32 { UInt32(dropFirst()) ?? 0 }
  public var songKey: UInt64 { utf8.reduce(0) { $0 &* 31 &+ UInt64($1) } }
}

extension PlayQueue<String> {
  /// The items in the playing order.
  var order: [String] { playingOrder.map(\.item) }
  /// The items in front of the current one.
  var front: [String] { Array(order.dropFirst((currentIndex ?? -1) + 1)) }

  func id(_ item: String) -> ID { entries.first { $0.item == item }!.id }

  /// Makes the song of a jump current.
  mutating func jump(_ item: String) { play(id(item)) }

  mutating func next() -> String? { advance(isAsked: true)?.item }

  mutating func previous() -> String? { goBack()?.item }

  mutating func choose(
    _ items: [String], first: Int? = 0, _ mode: MediaCommand.ShuffleMode = .off, seed: UInt64 = 1,
    at seconds: Int = 0
  ) {
    choose(
      items, first: first, from: QueueContext(list: items.first ?? "", title: ""), mode,
      seed: seed, at: .at(seconds))
    if let currentID { play(currentID) }
  }
}

extension QueueMoment {
  /// A moment in seconds. The position in the song is the same number.
  static func at(_ seconds: Int) -> QueueMoment {
    QueueMoment(time: MonotonicInstant(awake: .seconds(seconds)), seconds: Double(seconds))
  }
}

/// Tests the order in which the queue plays its entries, with repeat and shuffle: rule S3.
@Suite struct PlayQueueTests {
  private let moon = (1...10).map { "m\($0)" }

  private func playing(
    _ mode: MediaCommand.ShuffleMode = .off, seed: UInt64 = 1, first: Int? = 0
  ) -> PlayQueue<String> {
    var queue = PlayQueue<String>()
    queue.choose(moon, first: first, mode, seed: seed)
    return queue
  }

  private static let albums = ["a1", "a2", "a3", "b1", "b2", "c1", "c2", "c3"]

  // MARK: Without shuffle

  @Test func S3_repeatOff_stopsAtBothEnds() {
    var queue = PlayQueue(["t0", "t1"])
    let steps = [
      queue.previous(), queue.advance(isAsked: false)?.item, queue.advance(isAsked: false)?.item,
      queue.next(), queue.previous(),
    ]
    #expect(steps == [nil, "t1", nil, nil, "t0"])
  }

  @Test func S3_repeatAll_wrapsAround() {
    var queue = PlayQueue(["t0", "t1", "t2"])
    queue.repeatMode = .all
    #expect(queue.previous() == "t2" && queue.advance(isAsked: false)?.item == "t0")
  }

  @Test func S3_repeatOne_repeatsUnlessNextIsRequested() {
    var queue = PlayQueue(["t0", "t1", "t2"])
    queue.repeatMode = .one
    #expect([false, true, false].map { queue.advance(isAsked: $0)?.item } == ["t0", "t1", "t1"])
  }

  @Test func S3_upNext_listsEachFollowingTrackOnce() {
    var queue = PlayQueue(["t0", "t1", "t2", "t3", "t4"])
    queue.advance(isAsked: true)
    func upNext(_ limit: Int) -> [String] { queue.upNext(limit: limit).map(\.item) }
    #expect(upNext(9) == ["t2", "t3", "t4"] && upNext(2) == ["t2", "t3"])
    queue.repeatMode = .all
    #expect(upNext(9) == ["t2", "t3", "t4", "t0"], "each entry once, without the current entry")
    queue.repeatMode = .one
    #expect(upNext(9).first == "t2")
    #expect(PlayQueue<String>().upNext(limit: 9).isEmpty)
    var one = PlayQueue(["t0"])
    one.repeatMode = .all
    #expect(one.upNext(limit: 9).isEmpty)
  }

  @Test func S3_playAfterTheEnd_beginsTheListThatEnded() {
    var queue = playing()
    queue.extend(["p1", "p2"], from: QueueContext(list: "park", title: ""), keeping: 500)
    queue.jump("p2")
    queue.noteEnd()
    #expect(queue.hasEnded && queue.next() == nil)
    #expect(queue.beginAgain()?.item == "p1" && !queue.hasEnded)
    #expect(queue.front == ["p2"])
  }

  @Test func S3_currentList_isTheListOfTheCurrentSong_alsoIfTheNextListWasAdded() {
    var queue = playing()
    for list in ["p", "q"] {
      queue.extend(
        ["\(list)1", "\(list)2"], from: QueueContext(list: list, title: ""), keeping: 500)
    }
    func list() -> (String?, Range<Int>?) {
      (queue.currentList?.context?.list, queue.currentList?.indices)
    }
    #expect(list() == ("m1", 0..<10) && queue.isAtBeginning)
    queue.jump("p2")
    #expect(list() == ("p", 10..<12) && !queue.isAtBeginning)
    queue.jump("q1")
    #expect(list() == ("q", 12..<14) && queue.isAtBeginning)
    var restored = PlayQueue<String>()
    restored.restore(queue.entries, queue.saved)
    restored.jump("p2")
    #expect(restored.currentList?.context == nil, "the name of an earlier list is not saved")
  }

  @Test func S3_aQueueWithAbsentSongsInFront_hasNotEnded() {
    var queue = playing()
    queue.setAbsent { $0 == "m10" }
    queue.jump("m9")
    queue.noteEnd()
    #expect(!queue.hasEnded)
    queue.setAbsent { _ in false }
    queue.jump("m10")
    queue.noteEnd()
    #expect(queue.hasEnded && queue.select(queue.id("m3")) && !queue.hasEnded)
  }

  // MARK: Shuffle

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func S3_shuffleOn_putsEveryOtherSongInFront_alsoThoseThatWereHeard(seed: UInt64) {
    var queue = playing()
    queue.jump("m4")
    queue.setShuffle(.items, seed: seed)
    #expect(queue.current?.item == "m4" && Set(queue.front) == Set(moon).subtracting(["m4"]))
    #expect(queue.front != moon.filter { $0 != "m4" })
    #expect(queue.previous() == "m1", "it was current before shuffle was switched on")
    #expect(queue.next() == "m4")
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func S3_previousAfterAJump_goesToWhatWasHeard(seed: UInt64) {
    var queue = playing()
    queue.setShuffle(.items, seed: seed)
    let second = queue.next()
    let target = queue.front[6]
    queue.jump(target)
    #expect(Set(queue.front) == Set(moon).subtracting(["m1", second!, target]))
    #expect(queue.front.count == 7)
    #expect(queue.previous() == second && queue.next() == target)
    #expect(queue.previous() == second && queue.previous() == "m1" && queue.previous() == nil)
  }

  @Test func S3_aJumpToASongThatWasHeard_loosesNoSong() {
    var queue = playing(.items, seed: 3)
    let heard = [queue.current!.item, queue.next()!, queue.next()!]
    let front = queue.front
    queue.jump(heard[0])
    #expect(queue.front == front && queue.previous() == heard[2])
  }

  @Test func S3_aListThatIsChosenWithoutASong_beginsWithAnySong() {
    let firsts = (1...40).map { playing(.items, seed: $0, first: nil).current!.item }
    #expect(Set(firsts).count > 5)
    #expect((1...40).allSatisfy { playing(.items, seed: $0, first: 3).current?.item == "m4" })
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func S3_newShuffleRound_isAnotherOrder_andPreviousGoesBackIntoTheRoundBefore(seed: UInt64) {
    var queue = playing(.items, seed: seed)
    queue.repeatMode = .all
    queue.setAbsent { $0 == "m3" }
    var rounds: [[String]] = []
    var heard = [queue.current!.item]
    for _ in 0..<4 {
      while heard.count < 9 {
        let expected = queue.upNext(limit: 1).first?.item
        heard.append(queue.advance(isAsked: false)!.item)
        #expect(heard.last == expected)
      }
      #expect(Set(heard) == Set(moon).subtracting(["m3"]))
      rounds.append(heard)
      let expected = queue.upNext(limit: 30).map(\.item)
      let first = queue.advance(isAsked: false)!.item
      #expect(first == expected.first && first != heard[8] && queue.preceding == queue.id(heard[8]))
      #expect(queue.front.filter { $0 != "m3" && $0 != heard[8] } == Array(expected.dropFirst()))
      heard = [first]
    }
    #expect(Set(rounds).count == 4)
    #expect(queue.previous() == rounds[3][8] && queue.next() == heard[0])
  }

  @Test func S3_newRoundOfTwoTracks_alternates_andOneTrackRepeats() {
    var two = PlayQueue(["a", "b"])
    two.repeatMode = .all
    two.setShuffle(.items, seed: 4)
    let items = (0..<9).map { _ in two.advance(isAsked: false)?.item }
    #expect(zip(items, items.dropFirst()).allSatisfy { $0 != $1 })
    var one = PlayQueue(["a"])
    one.repeatMode = .all
    one.setShuffle(.items, seed: 4)
    #expect(one.advance(isAsked: false)?.item == "a" && one.upNext(limit: 5).isEmpty)
  }

  @Test func S3_shuffleOff_keepsTheCurrentTrack_andRestoresTheOrder() {
    var queue = playing(.items, seed: 5)
    for _ in 0..<4 { queue.advance(isAsked: true) }
    let current = queue.current!.item
    queue.setShuffle(.off, seed: 0)
    #expect(queue.current?.item == current && queue.order == moon)
  }

  @Test func S3_entriesThatAPlayerAlreadyHas_comeFirst() {
    var queue = playing()
    let planned = [queue.id("m5"), queue.id("m9"), 999]
    queue.setShuffle(.items, planned: planned, seed: 6)
    #expect(queue.order.prefix(3) == ["m1", "m5", "m9"] && Set(queue.order).count == 10)
    queue.repeatMode = .all
    while queue.front.count > 0 { queue.advance(isAsked: true) }
    let first = queue.following(queue.currentID!, isAsked: false)!
    queue.play(first, planned: planned)
    let rest = ["m5", "m9"].filter { queue.id($0) != first }
    #expect(queue.currentID == first && Array(queue.front.prefix(rest.count)) == rest)
  }

  @Test func S3_avoidedEntries_areLeftOutOfAShuffledOrderOnly() {
    var queue = PlayQueue((0..<6).map { "t\($0)" })
    queue.setAvoided { ["t1", "t3", "t5"].contains($0) }
    #expect(queue.upNext(limit: 9).map(\.item) == ["t1", "t2", "t3", "t4", "t5"])
    queue.setShuffle(.items, seed: 4)
    queue.repeatMode = .all
    let heard = (0..<12).compactMap { _ in queue.advance(isAsked: false)?.item }
    #expect(heard.count == 12 && Set(heard) == ["t0", "t2", "t4"])
    for start in 0..<heard.count - 1 { #expect(heard[start] != heard[start + 1]) }
    queue.jump("t3")
    #expect(queue.next() != nil && queue.previous() == "t3", "previous goes to a disliked song too")
    queue.setAvoided { _ in true }
    #expect(queue.upNext(limit: 9).count == 5)
  }

  @Test func S3_previous_goesOverAbsentSongs_whichAreInFrontAgain() {
    var queue = playing(.items, seed: 7)
    let heard = [queue.current!.item, queue.next()!, queue.next()!]
    queue.setAbsent { $0 == heard[1] }
    #expect(queue.previous() == heard[0])
    #expect(queue.next() == heard[2])
    queue.setAbsent { _ in false }
    #expect(queue.front.contains(heard[1]) || queue.order.first == heard[1])
  }

  @Test func S3_songsThatCannotBeOpened_areNotInFront_andDoNotCountAsHeard() {
    var queue = playing(.items, seed: 7)
    let front = queue.front
    queue.passBy(queue.id(front[0]))
    #expect(queue.front == Array(front.dropFirst()) && queue.previous() == nil)
    queue.jump(front[3])
    queue.noteUnheard()
    let next = queue.next()
    #expect(next == front[1] && queue.previous() == "m1")
  }

  // MARK: Albums

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func S3_albums_areInRandomOrder_andEachInItsOwnOrder(seed: UInt64) {
    var queue = PlayQueue<String>()
    queue.choose(Self.albums, first: 4)
    queue.setShuffle(.collections, seed: seed)
    #expect(queue.shuffleMode == .collections && queue.current?.item == "b2")
    let rest = queue.front
    #expect(
      [["a1", "a2", "a3", "c1", "c2", "c3"], ["c1", "c2", "c3", "a1", "a2", "a3"]].contains(rest))
    queue.jump("c2")
    #expect(queue.front == ["c3", "a1", "a2", "a3"], "the songs before it count as heard")
    #expect(queue.previous() == "b2" && queue.next() == "c2")
    queue.repeatMode = .all
    while !queue.front.isEmpty { queue.advance(isAsked: true) }
    #expect(queue.upNext(limit: 1).first?.item.hasPrefix("a") == false)
  }

  /// A list such as all songs is in the order of titles.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func S3_albumsOfAListInAnotherOrder_areInTheOrderOfTheAlbum(seed: UInt64) {
    var queue = PlayQueue<String>()
    queue.choose(["a2", "b2", "a3", "b", "a1", "c3", "b1", "c1"], first: 3)
    queue.setShuffle(.collections, seed: seed)
    #expect(queue.current?.item == "b" && queue.front.prefix(2) == ["b1", "b2"])
    let albums = [["a1", "a2", "a3", "c1", "c3"], ["c1", "c3", "a1", "a2", "a3"]]
    #expect(albums.contains(Array(queue.front.dropFirst(2))))
    queue.jump("a2")
    #expect(queue.order.prefix(3).contains("b") && queue.front.first == "a3")
    queue.choose(["a2", "a3", "a1"], first: nil, .collections, seed: seed)
    #expect(queue.order == ["a1", "a2", "a3"])
  }

  @Test func S3_aJumpIntoAnotherAlbum_leavesTheRestOfTheAlbumInFront_asOneBlock() {
    var queue = PlayQueue<String>()
    queue.choose(Self.albums)
    queue.setShuffle(.collections, seed: 2)
    queue.jump("c3")
    #expect(queue.front.prefix(2) == ["a2", "a3"] && queue.front.count == 4)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func S3_aMoveToTheNextAlbum_passesTheRestOfTheAlbum(seed: UInt64) {
    var queue = PlayQueue<String>()
    queue.choose(Self.albums, first: 3, .collections, seed: seed)
    queue.repeatMode = .all
    var albums: [Character] = [queue.current!.item.first!]
    while let next = queue.front.first(where: { $0.first != albums.last }) {
      let left = queue.currentID!
      queue.jump(next)
      queue.passAlbum(of: left)
      #expect(queue.current?.item == next && Set(queue.order) == Set(Self.albums))
      albums.append(next.first!)
    }
    // Each album is reached once, and *previous* goes back to what was heard.
    #expect(albums.count == 3 && Set(albums) == ["a", "b", "c"])
    #expect(queue.previous()?.first == albums[1] && queue.previous() == "b1")
  }

  // MARK: Edits

  @Test(arguments: [MediaCommand.ShuffleMode.off, .items])
  func S3_severalPlayNext_keepTheirOrder_andLastIsLast(mode: MediaCommand.ShuffleMode) {
    var queue = playing(mode)
    let front = queue.front
    for song in ["c1", "c2", "c3"] { queue.playNext([song], at: .at(0)) }
    for song in ["d1", "d2", "d3"] { queue.append([song], at: .at(0)) }
    #expect(queue.front == ["c1", "c2", "c3"] + front + ["d1", "d2", "d3"])
    queue.setShuffle(mode == .off ? .items : .off, seed: 9)
    #expect(
      queue.front.prefix(3) == ["c1", "c2", "c3"] && queue.front.suffix(3) == ["d1", "d2", "d3"])
    let first = queue.next()
    queue.playNext(["c4"], at: .at(0))
    #expect(first == "c1" && queue.front.prefix(3) == ["c2", "c3", "c4"])
  }

  @Test func S3_songsOfTheListThatArriveLater_comeBeforeThoseThatAreWantedLast() {
    var queue = playing()
    queue.append(["d1", "d2"], at: .at(0))
    queue.follow(with: ["m11"])
    queue.extend(["e1"], from: QueueContext(list: "e", title: ""), keeping: 500)
    #expect(queue.front.suffix(4) == ["m11", "d1", "d2", "e1"])
    var shuffled = playing(.items)
    shuffled.playNext(["c1"], at: .at(0))
    shuffled.append(["d1"], at: .at(0))
    shuffled.follow(with: (0..<40).map { "n\($0)" })
    #expect(shuffled.front.first == "c1" && shuffled.front.last == "d1")
    #expect(Set(shuffled.front.dropFirst().prefix(20)).intersection(moon).isEmpty == false)
  }

  @Test func S3_extend_removesWhatWasHeardLongAgo() {
    var queue = PlayQueue(["a", "b", "c", "d"])
    queue.jump("c")
    let current = queue.currentID
    queue.extend(["e", "f"], from: QueueContext(list: "e", title: ""), keeping: 1)
    #expect(queue.order == ["b", "c", "d", "e", "f"] && queue.currentID == current)
  }

  @Test func S3_aClearedQueue_isEmptied_andAlsoIfItsSongsWereRemovedOneByOne() {
    var queue = playing()
    queue.clear(at: .at(0))
    #expect(queue.order == ["m1"] && queue.isEmptied)
    #expect(queue.undo() != nil && queue.order == moon && !queue.isEmptied)
    for song in moon.dropFirst() {
      #expect(!queue.isEmptied)
      queue.remove(queue.id(song), at: .at(0))
    }
    #expect(queue.isEmptied)
    queue.choose(["a", "b"])
    queue.remove(queue.currentID!, at: .at(0))
    #expect(!queue.isEmptied, "only the current song was removed")
  }

  @Test func S3_remove_keepsTheNumbersOfOtherEntries() {
    var queue = PlayQueue(["t0", "t1", "t2"])
    let ids = queue.entries.map(\.id)
    queue.remove(ids[0], at: .at(0))
    #expect(queue.current?.item == "t1", "the next entry replaces the removed current entry")
    #expect(queue.following(ids[1], isAsked: false) == ids[2])
    for id in [ids[2], ids[1], ids[1]] { queue.remove(id, at: .at(0)) }
    let isMoved = queue.play(ids[1])
    #expect(queue.current == nil && queue.next() == nil && !isMoved)
    #expect(queue.playNext(["x"], at: .at(0))[0] > ids[2], "a number is never used again")
  }

  // MARK: Undo

  @Test func S3_undo_bringsBackAReplacedQueue_withItsEditsAndItsSong() {
    var queue = playing()
    queue.playNext(["c3"], at: .at(1))
    queue.jump("m2")
    queue.choose(["p1", "p2"], at: 17)
    queue.choose(["q1"], at: 18)
    #expect(queue.undo()?.keepsCurrent == false && queue.order == ["p1", "p2"])
    let undone = queue.undo()
    #expect(undone?.seconds == 17 && queue.current?.item == "m2")
    #expect(queue.order == ["m1", "c3"] + moon.dropFirst() && queue.context?.list == "m1")
    #expect(queue.undo()?.keepsCurrent == true && queue.order == moon && !queue.canUndo)
  }

  @Test func S3_aQueueThatNobodyHasChosenOrHeard_isNotMissed() {
    var queue = PlayQueue(["a", "b"])
    queue.choose(["c"])
    #expect(!queue.canUndo)
  }

  @Test func S3_undoOfAnEdit_keepsWhatTheUnitHasAdded_andWhatPlays() {
    var queue = playing()
    queue.remove(queue.id("m9"), at: .at(0))
    queue.follow(with: ["m11"])
    queue.setShuffle(.items, seed: 8)
    let second = queue.next()!
    #expect(queue.undo()?.keepsCurrent == true && queue.current?.item == second)
    #expect(Set(queue.front) == Set(moon + ["m11"]).subtracting(["m1", second]))
    queue.setShuffle(.off, seed: 0)
    #expect(queue.order == moon + ["m11"])
  }

  @Test func S3_undo_hasEightSteps_ofTenMinutesEach() {
    var queue = playing()
    for step in 0..<12 { queue.append(["d\(step)"], at: .at(100 * step)) }
    queue.dropOldSteps(at: QueueMoment.at(1199).time)
    #expect(queue.nextStepEnd == QueueMoment.at(1200).time, "the step of 600 s")
    var count = 0
    while queue.undo() != nil { count += 1 }
    #expect(count == 6 && queue.order == moon + (0..<6).map { "d\($0)" })
    for step in 0..<12 { queue.append(["e\(step)"], at: .at(2000)) }
    count = 0
    while queue.undo() != nil { count += 1 }
    #expect(count == 8)
  }

  @Test func S3_undo_keepsAtMostTenThousandSongs() {
    var queue = PlayQueue<String>()
    let lists = (0..<4).map { list in (0..<4000).map { "\(list)-\($0)" } }
    for list in lists { queue.choose(list) }
    #expect(queue.undo() != nil && queue.undo() != nil && queue.undo() == nil)
    #expect(queue.current?.item == "1-0")
    queue.choose((0..<20_000).map { "x\($0)" })
    queue.clear(at: .at(0))
    #expect(!queue.canUndo, "the step alone has too many songs")
  }

  // MARK: Saving

  @Test(arguments: [MediaCommand.ShuffleMode.off, .items, .collections])
  func S3_aRestoredQueue_playsOnAsBefore(mode: MediaCommand.ShuffleMode) {
    var queue = playing(mode, seed: 11)
    queue.playNext(["c1"], at: .at(0))
    queue.append(["d1"], at: .at(0))
    queue.jump(queue.front[5])
    queue.extend(["e1", "e2"], from: QueueContext(list: "e", title: "E"), keeping: 500)
    var restored = PlayQueue<String>()
    restored.restore(queue.entries, queue.saved)
    #expect(restored.order == queue.order && restored.currentID == queue.currentID)
    #expect(restored.context == queue.context && restored.isChosen && !restored.canUndo)
    restored.repeatMode = .all
    queue.repeatMode = .all
    #expect(restored.preceding == queue.preceding)
    #expect(restored.upNext(limit: 99) == queue.upNext(limit: 99))
    restored.setShuffle(.off, seed: 0)
    restored.setShuffle(.items, seed: 12)
    #expect(restored.front.last == "d1", "it is still wanted last")
  }

  @Test func S3_aDamagedSavedOrder_isRepaired() {
    var saved = PlayQueue<String>.Saved()
    saved.shuffle = .songs(seed: 1)
    saved.order = [3, 3, 99, 1]
    saved.currentID = 7
    saved.heard = [2, 50]
    saved.lastList = 60
    var queue = PlayQueue<String>()
    queue.restore([1, 2, 2, 3].map { .init(id: $0, "s\($0)") }, saved)
    #expect(queue.ids == [3, 1, 2] && queue.currentID == 3 && queue.heard == [2])
    #expect(queue.beginAgain() != nil)
  }
}
