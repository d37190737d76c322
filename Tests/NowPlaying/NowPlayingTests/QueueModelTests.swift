// The name of a test begins with the number of its rule in docs/now-playing.md.

import NowPlaying
import TestKit
import Testing

/// A simple model of ``PlayQueue``: what was heard, what plays, what is in front, and where *play* begins. Where the
/// order is random, the model copies it from the queue and checks what must be true for each random order.
private struct QueueModel {
  var list: [String] = []
  var current: String?
  var front: [String] = []
  var heard: [String] = []
  var wishes: [String: Bool] = [:]
  var absent: Set<String> = []
  var isShuffled = false
  var repeats = false
  var isCurrentHeard = false
  var isChosen = false
  var isEmptied = false
  var hasEnded = false
  /// The first song of the list that was added last. Nil if it is the chosen list.
  var lastList: String?
  /// Counts the queues that were chosen.
  var generation = 0
  /// The models before the changes that can be undone.
  var steps: [Saved] = []
  /// The songs that the unit has added to the present queue.
  var added: [String] = []

  struct Saved {
    var list: [String], current: String?, front: [String], heard: [String]
    var wishes: [String: Bool], isShuffled: Bool, isCurrentHeard: Bool, added: [String]
    var generation: Int, isChosen: Bool, isEmptied: Bool, hasEnded: Bool, lastList: String?
  }

  var saved: Saved {
    Saved(
      list: list, current: current, front: front, heard: heard, wishes: wishes,
      isShuffled: isShuffled, isCurrentHeard: isCurrentHeard, added: added,
      generation: generation, isChosen: isChosen, isEmptied: isEmptied, hasEnded: hasEnded,
      lastList: lastList)
  }

  mutating func addStep() {
    defer { isChosen = true }
    steps.append(saved)
    if steps.count > 8 { steps.removeFirst() }
  }

  /// Without shuffle, what is behind the current song in the list is in front.
  mutating func settle() {
    guard !isShuffled else { return }
    let index = current.flatMap { list.firstIndex(of: $0) }
    front = index.map { Array(list[($0 + 1)...]) } ?? list
  }

  mutating func play(_ song: String) {
    defer {
      wishes[song] = nil
      isCurrentHeard = true
      hasEnded = false
      settle()
    }
    guard song != current else { return }
    remember()
    front.removeAll { $0 == song }
    current = song
  }

  mutating func remember() {
    guard let current, isCurrentHeard else { return }
    heard = (heard + [current]).suffix(100)
    wishes[current] = nil
  }

  var preceding: String? {
    if isShuffled {
      return heard.last { $0 != current && list.contains($0) && !absent.contains($0) }
    }
    guard let index = current.flatMap({ list.firstIndex(of: $0) }) else { return nil }
    let wrapped = repeats ? list[index...].last { !absent.contains($0) } : nil
    return list[..<index].last { !absent.contains($0) } ?? wrapped
  }

  /// The songs of the list that was added last.
  var ended: ArraySlice<String> {
    list[(lastList.flatMap { list.firstIndex(of: $0) } ?? 0)...]
  }

  /// If this song begins the list that was added last, the song after it now begins it.
  mutating func leavesItsList(_ song: String) {
    if song == lastList { lastList = ended.dropFirst().first }
  }

  /// The songs with which *play* can begin after the end, if nothing is in front.
  var beginnings: Set<String> {
    let present = (ended + list[..<ended.startIndex]).filter { !absent.contains($0) }
    guard isShuffled else { return Set(present.prefix(1)) }
    let others = Set(ended).intersection(present).subtracting([current ?? ""])
    return others.isEmpty ? Set(present).intersection([current ?? ""]) : others
  }

  mutating func insert(_ songs: [String], isNext: Bool) {
    addStep()
    let count = isNext ? front.prefix { wishes[$0] == true }.count : front.count
    let before = count > 0 ? front[count - 1] : isNext ? current : list.last
    front.insert(contentsOf: songs, at: count)
    let index = before.flatMap { list.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    list.insert(contentsOf: songs, at: isNext ? index : list.count)
    for song in songs { wishes[song] = isNext }
    if current == nil {
      current = songs.first
      front.removeAll { $0 == current }
    }
  }
}

@Suite struct QueueModelTests {
  /// Makes 20 000 random steps in all: edits, undo, jumps, shuffle, repeat, absences and restarts. After each step, the
  /// queue must equal the model.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func S3_theQueueEqualsTheModel_afterAnySteps(seed: UInt64) throws {
    var random = SeededRandom(seed)
    var queue = PlayQueue<String>()
    var model = QueueModel()
    var (names, generations) = (0, 0)
    var operations: [Int] = []
    func new(_ count: Int) -> [String] {
      (0..<count).map { _ in
        names += 1
        return "\(names % 5)-\(names)"
      }
    }
    func id(_ song: String) -> UInt32 { queue.id(song) }
    for step in 0..<500 {
      let song = model.list.randomElement(using: &random)
      let operation = random.below(20)
      operations.append(operation)
      let place = Comment(rawValue: "step \(step), the last operations \(operations.suffix(8))")
      switch operation {
      case 0:
        let songs = new(1 + random.below(3))
        queue.playNext(songs, at: .at(0))
        model.insert(songs, isNext: true)
      case 1:
        let songs = new(1 + random.below(3))
        queue.append(songs, at: .at(0))
        model.insert(songs, isNext: false)
      case 2:
        let songs = new(2)
        queue.follow(with: songs)
        let count = model.list.reversed()
          .prefix { model.wishes[$0] == false && $0 != model.current }.count
        model.list.insert(contentsOf: songs, at: model.list.count - count)
        model.added += songs
        if model.current == nil { model.current = queue.current?.item }
        let last = model.front.reversed().prefix { model.wishes[$0] == false }.count
        if model.isShuffled {
          let old = Set(songs)
          #expect(queue.front.filter { !old.contains($0) } == model.front, place)
          #expect(queue.front.suffix(last) == model.front.suffix(last), place)
          model.front = queue.front
        }
        model.settle()
      case 3:
        guard let song else { break }
        queue.remove(id(song), at: .at(0))
        model.addStep()
        let following = model.front.first
        if model.front == [song] { model.isEmptied = true }
        model.leavesItsList(song)
        model.list.removeAll { $0 == song }
        model.front.removeAll { $0 == song }
        model.wishes[song] = nil
        if model.current == song {
          model.remember()
          model.current = following ?? queue.current?.item
          model.front.removeAll { $0 == model.current }
        }
      case 4:
        guard let song, let other = model.list.randomElement(using: &random), song != other else {
          break
        }
        queue.move(id(song), before: id(other), at: .at(0))
        model.addStep()
        model.wishes[song] = nil
        if model.isShuffled {
          #expect(Set(queue.order) == Set(model.list), place)
          model.front = queue.front
        } else {
          model.leavesItsList(song)
          model.list.removeAll { $0 == song }
          model.list.insert(song, at: model.list.firstIndex(of: other)!)
        }
        model.settle()
      case 5:
        guard random.chance(30) else { break }
        queue.clear(at: .at(0))
        model.addStep()
        (model.list, model.front) = ([model.current].compactMap { $0 }, [])
        (model.wishes, model.isEmptied, model.lastList) = ([:], true, nil)
      case 6:
        guard random.chance(40) else { break }
        let songs = new(3 + random.below(9))
        let first = random.chance(50) ? songs.indices.randomElement(using: &random) : nil
        if model.current != nil, model.isCurrentHeard || model.isChosen { model.addStep() }
        model.isChosen = true
        queue.choose(songs, first: first, queue.shuffleMode, seed: random.next())
        (model.list, model.heard, model.wishes, model.added) = (songs, [], [:], [])
        (model.isEmptied, model.hasEnded, model.lastList) = (false, false, nil)
        generations += 1
        model.generation = generations
        model.current = queue.current?.item
        model.isCurrentHeard = true
        #expect(first == nil || model.current == songs[first!], place)
        #expect(Set(queue.front) == Set(songs).subtracting([model.current!]) || !model.isShuffled)
        model.front = queue.front
        model.settle()
      case 7, 8:
        let undone = queue.undo()
        #expect((undone != nil) == !model.steps.isEmpty, place)
        guard let last = model.steps.popLast() else { break }
        let present = model
        (model.list, model.wishes, model.isChosen) = (last.list, last.wishes, last.isChosen)
        (model.isEmptied, model.lastList) = (last.isEmptied, last.lastList)
        if last.generation != present.generation {
          (model.current, model.front, model.heard) = (last.current, last.front, last.heard)
          (model.isShuffled, model.isCurrentHeard) = (last.isShuffled, last.isCurrentHeard)
          (model.added, model.generation) = (last.added, last.generation)
          model.hasEnded = last.hasEnded
          #expect(queue.front == model.front, place)
          break
        }
        let added = Set(present.added.dropFirst(last.added.count))
        #expect(Set(queue.entries.map(\.item)) == Set(model.list).union(added), place)
        model.list = queue.entries.map(\.item)
        model.wishes = model.wishes.filter {
          present.wishes[$0.key] != nil
            || !present.list.contains($0.key) && !present.heard.contains($0.key)
        }
        if !model.list.contains(model.current ?? "") {
          model.current = queue.current?.item
          model.isCurrentHeard = last.isCurrentHeard
        } else if model.isShuffled {
          // What is in front stays in front, and what the edit has removed returns.
          let returned = Set(last.front).subtracting(present.list)
          let expected = Set(present.front).intersection(model.list).union(returned)
          #expect(Set(queue.front).isSuperset(of: expected.subtracting(model.heard)), place)
        }
        model.front = queue.front
        model.settle()
      case 9:
        let stick = "\(random.below(5))-"
        queue.setAbsent { $0.hasPrefix(stick) }
        model.absent = Set(model.list.filter { $0.hasPrefix(stick) })
      case 10:
        let isOn = random.chance(50)
        queue.setShuffle(isOn ? .items : .off, seed: random.next())
        guard isOn != model.isShuffled else { break }
        model.isShuffled = isOn
        if isOn {
          let wanted = model.list.filter { model.wishes[$0] == true && $0 != model.current }
          #expect(Set(queue.front.prefix(wanted.count)) == Set(wanted), place)
          #expect(Set(queue.front) == Set(model.list).subtracting([model.current ?? ""]), place)
        }
        model.front = queue.front
        model.settle()
      case 11:
        var restored = PlayQueue<String>()
        restored.restore(queue.entries, queue.saved)
        restored.repeatMode = queue.repeatMode
        queue = restored
        (model.steps, model.absent, model.isChosen) = ([], [], true)
        model.heard = model.heard.filter(model.list.contains)
        for song in model.heard + [model.current ?? ""] { model.wishes[song] = nil }
        model.isCurrentHeard = true
      case 12:
        guard let song else { break }
        let rest = model.front.filter { $0 != song }
        let begins = model.repeats && queue.upNext(limit: 1).first?.item == song
        queue.jump(song)
        model.play(song)
        if model.isShuffled, begins, rest.allSatisfy(model.absent.contains), queue.front != rest {
          // The song is also the first one of the next round, which begins.
          (model.front, model.wishes) = (queue.front, [:])
        } else if model.isShuffled {
          #expect(queue.front == rest, "a jump leaves the others in front; \(place)")
        }
      case 13:
        let expected = model.preceding
        #expect(queue.preceding.map { queue.entry($0)!.item } == expected, place)
        let former = model.current
        #expect(queue.previous() == expected, place)
        guard let expected else { break }
        if model.isShuffled {
          while model.heard.popLast() != expected {}
          #expect(
            queue.front.first { !model.absent.contains($0) } == former
              || model.absent.contains(former!), place)
          (model.current, model.hasEnded) = (expected, false)
          model.wishes[expected] = nil
          model.front = queue.front
        } else {
          model.play(expected)
        }
      case 14:
        let songs = new(1 + random.below(4))
        queue.extend(songs, from: QueueContext(list: songs[0], title: ""), keeping: 500)
        let order = queue.order.suffix(songs.count)
        #expect(Set(order) == Set(songs) && (model.isShuffled || Array(order) == songs), place)
        model.list += songs
        model.added += songs
        model.front += order
        model.lastList = songs[0]
        for index in model.steps.indices where model.steps[index].generation == model.generation {
          model.steps[index].lastList = songs[0]
        }
        if model.current == nil { model.current = model.front.removeFirst() }
        model.settle()
      case 15:
        // *Play*: it begins the list again only after the end, and if nothing is in front.
        guard model.hasEnded, queue.upNext(limit: 1).isEmpty else { break }
        let expected = model.beginnings
        let song = queue.beginAgain()?.item
        #expect(song.map { expected.contains($0) } ?? expected.isEmpty, place)
        guard let song else { break }
        if model.isShuffled, song != model.current {
          #expect(Set(queue.front) == Set(model.ended).subtracting([song]), place)
          model.wishes = [:]
        }
        model.play(song)
        model.front = queue.front
      default:
        let isAsked = random.chance(50)
        model.repeats = random.chance(50)
        queue.repeatMode = model.repeats ? .all : .off
        let following = model.front.first { !model.absent.contains($0) }
        let upNext = queue.upNext(limit: 1).first?.item
        let next = queue.advance(isAsked: isAsked)?.item
        if next == nil, !isAsked {
          queue.noteEnd()
          if model.current != nil, model.front.isEmpty { model.hasEnded = true }
        }
        if let following {
          #expect(next == following && upNext == following, place)
          model.play(following)
        } else if !model.repeats || next == nil {
          #expect(
            next == nil && (!model.repeats || model.list.allSatisfy(model.absent.contains)), place)
        } else if model.isShuffled, let next, next != model.current {
          #expect(upNext == next && Set(queue.order) == Set(model.list), place)
          model.wishes = [:]
          model.play(next)
          model.front = queue.front
        } else if let next {
          #expect(!model.absent.contains(next), place)
          model.play(next)
        }
      }
      #expect(queue.entries.map(\.item) == model.list, place)
      #expect(queue.current?.item == model.current, place)
      #expect(queue.front == model.front, place)
      #expect(queue.isShuffled == model.isShuffled, place)
      let heard = queue.heard.compactMap { queue.entry($0)?.item }
      #expect(heard == model.heard.filter(model.list.contains), place)
      #expect(queue.isEmptied == model.isEmptied && queue.hasEnded == model.hasEnded, place)
      #expect(queue.canUndo == !model.steps.isEmpty, place)
      #expect(Set(queue.ids).count == queue.count && Set(queue.ids) == Set(queue.entries.map(\.id)))
      try #require(queue.front == model.front && queue.current?.item == model.current)
    }
  }

  @Test func S3_absentEntries_keepTheirPositions_andAreDroppedByNoCommand() {
    var queue = PlayQueue(["a1", "b1", "a2", "b2"])
    queue.setAbsent { $0.hasPrefix("b") }
    #expect(queue.count == 4 && queue.upNext(limit: 9).map(\.item) == ["a2"])
    #expect(queue.next() == "a2" && queue.next() == nil)
    queue.setAbsent { _ in false }
    #expect(queue.next() == "b2" && queue.previous() == "a2")
    queue.setAbsent { _ in true }
    queue.repeatMode = .one
    #expect(queue.following(queue.currentID!, isAsked: false) == nil)
  }
}
