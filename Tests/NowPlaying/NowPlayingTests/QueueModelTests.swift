// The name of a test begins with the number of its rule in docs/now-playing.md.

import NowPlaying
import TestKit
import Testing

/// A simple model of ``PlayQueue`` that stores its orders in arrays. The tests compare the queue with this model.
private struct QueueModel {
  /// `order` is the playing order, and `own` is the original order. Both contain the numbers of the entries.
  var order: [Int] = []
  var own: [Int] = []
  var items: [Int: String] = [:]
  var absent: Set<Int> = []
  var current: Int?
  var isShuffled = false
  var undo: (order: [Int], own: [Int], current: Int?)?

  mutating func edit(_ body: (inout QueueModel) -> Void) {
    let before = (order, own, current)
    body(&self)
    undo = before
  }

  mutating func insertNext(_ ids: [Int]) {
    edit { model in
      for list in [\QueueModel.order, \QueueModel.own] {
        let index = model.current.flatMap { model[keyPath: list].firstIndex(of: $0) }.map { $0 + 1 }
        model[keyPath: list].insert(contentsOf: ids, at: index ?? 0)
      }
      model.current = model.current ?? ids.first
    }
  }

  mutating func remove(_ id: Int) {
    edit { model in
      let index = model.order.firstIndex(of: id)!
      model.order.remove(at: index)
      model.own.removeAll { $0 == id }
      if model.current == id {
        model.current = index < model.order.count ? model.order[index] : model.order.last
      }
    }
  }

  mutating func move(_ id: Int, before other: Int?) {
    if id == other { return }
    edit { model in
      model.order.removeAll { $0 == id }
      model.order.insert(
        id, at: other.flatMap(model.order.firstIndex) ?? model.order.count)
      if !model.isShuffled { model.own = model.order }
    }
  }

  mutating func undoEdit() {
    guard let undo else { return }
    let playing = current
    (order, own, current) = undo
    if let playing, order.contains(playing) { current = playing }
    self.undo = nil
  }

  /// The number of entries that can play.
  var playable: Int { order.count { !absent.contains($0) } }

  func next(_ repeats: Bool) -> Int? {
    guard let index = current.flatMap(order.firstIndex) else { return nil }
    let rest = order[(index + 1)...] + (repeats ? order[...index] : [])
    return rest.first { !absent.contains($0) }
  }
}

@Suite struct QueueModelTests {
  /// Makes random edits, absences, shuffles and restarts. After each step, the queue must equal the model.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func S3_theOrderEqualsTheModel_afterAnyEdits(seed: UInt64) {
    var random = SeededRandom(seed)
    var queue = PlayQueue<String>()
    var model = QueueModel()
    var names = 0
    func new(_ count: Int) -> [String] {
      (0..<count).map { _ in
        names += 1
        return "s\(names % 5) \(names)"
      }
    }
    for step in 0..<300 {
      let id = model.order.randomElement(using: &random)
      switch random.below(12) {
      case 0, 1:
        model.insertNext(queue.playNext(new(1 + random.below(3))))
      case 2, 3:
        let before = Set(model.order)
        let isEdit = random.chance(50)
        if isEdit { queue.append(new(1 + random.below(3))) } else { queue.follow(with: new(2)) }
        let ids = queue.entries.map(\.id).filter { !before.contains($0) }
        // In a shuffled order, new entries have random positions after the current entry. The model copies the
        // positions.
        let add = { (model: inout QueueModel) in
          model.own += ids
          model.order = model.isShuffled ? queue.playingOrder.map(\.id) : model.own
          model.current = model.current ?? model.order.first
        }
        if isEdit {
          model.edit(add)
        } else {
          add(&model)
          // If the last edit is undone later, the entries that `follow` has added stay in the queue. Case 6 then copies
          // their positions in a shuffled order.
          model.undo?.own += ids
          model.undo?.order += ids
          if model.undo?.current == nil { model.undo?.current = ids.first }
        }
        let current = model.current.flatMap { model.order.firstIndex(of: $0) } ?? 0
        let isBehind = ids.allSatisfy { model.order.firstIndex(of: $0)! > current }
        #expect(before.isEmpty || isBehind, "seed \(seed), step \(step)")
      case 4:
        if let id {
          queue.remove(id)
          model.remove(id)
        }
      case 5:
        guard let id else { break }
        let other = random.chance(30) ? nil : model.order.randomElement(using: &random)
        queue.move(id, before: other)
        model.move(id, before: other)
      case 6:
        #expect(queue.undo() == (model.undo != nil), "seed \(seed), step \(step)")
        model.undoEdit()
        if model.isShuffled {
          #expect(queue.ids.sorted() == model.order.sorted())
          model.order = queue.ids
        }
      case 7:
        let stick = "s\(random.below(5)) "
        queue.setAbsent { $0.hasPrefix(stick) }
        model.absent = Set(queue.entries.filter { $0.item.hasPrefix(stick) }.map(\.id))
      case 8:
        let isOn = random.chance(50)
        queue.setShuffled(isOn, using: &random)
        guard isOn != model.isShuffled else { break }
        model.isShuffled = isOn
        model.undo = nil
        model.order = isOn ? queue.playingOrder.map(\.id) : model.own
        #expect(model.order.sorted() == model.own.sorted())
        #expect(!isOn || model.order.first == model.current)
      case 9:
        // A restart: the saved data restores the same queue. After the restart, the last edit cannot be undone.
        var restored = PlayQueue<String>()
        restored.restore(queue.saved)
        queue = restored
        model.undo = nil
        model.absent = []
      case 10 where random.chance(20):
        queue.clear()
        model.edit { model in
          model.own = model.current.map { [$0] } ?? []
          model.order = model.own
        }
      default:
        queue.repeatMode = random.chance(50) ? .all : .off
        let repeats = queue.repeatMode == .all
        let (ended, last) = (model.next(false) == nil, model.current)
        let next = queue.advance(isAsked: true)?.id
        if ended, repeats, model.isShuffled, model.playable > 1 {
          // A new round has a new random order. The model copies this order.
          model.undo = nil
          model.order = queue.ids
          #expect(model.order.sorted() == model.own.sorted(), "seed \(seed), step \(step)")
          #expect(next != nil && next != last && !model.absent.contains(next!))
        } else {
          #expect(next == model.next(repeats), "seed \(seed), step \(step)")
        }
        model.current = next ?? model.current
      }
      #expect(queue.playingOrder.map(\.id) == model.order, "seed \(seed), step \(step)")
      #expect(queue.entries.map(\.id) == model.own, "seed \(seed), step \(step)")
      #expect(queue.currentID == model.current, "seed \(seed), step \(step)")
      #expect(queue.isShuffled == model.isShuffled, "seed \(seed), step \(step)")
    }
  }

  @Test func S3_aTrackThatComesOrGoes_movesNoOtherTrackOfAShuffledOrder() {
    var random = SeededRandom(7)
    var queue = PlayQueue((0..<40).map { "t\($0)" })
    queue.setShuffled(true, using: &random)
    for _ in 0..<10 { queue.advance(isAsked: true) }
    let before = queue.playingOrder.map(\.id)
    let new = queue.append(["a", "b", "c"])
    #expect(queue.playingOrder.map(\.id).filter { !new.contains($0) } == before)
    queue.remove(before[20])
    #expect(
      queue.playingOrder.map(\.id).filter { !new.contains($0) }
        == before.filter { $0 != before[20] })
  }

  @Test func S3_absentEntries_keepTheirPositions_andAreDroppedByNoCommand() {
    var queue = PlayQueue(["a1", "b1", "a2", "b2"])
    queue.setAbsent { $0.hasPrefix("b") }
    #expect(queue.count == 4 && queue.upNext(limit: 9).map(\.item) == ["a2"])
    #expect(queue.advance(isAsked: true)?.item == "a2")
    #expect(queue.advance(isAsked: true) == nil)
    queue.setAbsent { _ in false }
    #expect(queue.advance(isAsked: true)?.item == "b2")
    #expect(queue.goBack()?.item == "a2")
    queue.setAbsent { _ in true }
    queue.repeatMode = .one
    #expect(queue.following(queue.currentID!, isAsked: false) == nil)
  }

  /// A shuffled order is sorted by integer keys. After about 60 insertions at one position, no key is free between the
  /// neighbours, so the queue spreads the keys of all entries.
  @Test func S3_aThousandInsertionsAtOnePositionOfAShuffledOrder_keepTheirOrder() {
    var random = SeededRandom(8)
    var queue = PlayQueue(["a", "b", "c"])
    queue.setShuffled(true, using: &random)
    let rest = queue.playingOrder.dropFirst().map(\.item)
    for number in 0..<1000 { queue.playNext("\(number)") }
    let expected = [queue.current!.item] + (0..<1000).reversed().map { "\($0)" } + rest
    #expect(queue.playingOrder.map(\.item) == expected)
  }
}
