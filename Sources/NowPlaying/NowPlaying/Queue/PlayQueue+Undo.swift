// A person can undo the last edits of the queue, and the replacing of the queue by another list.
extension PlayQueue {
  /// Maximum number of steps that can be undone.
  static var maximumSteps: Int { 8 }
  /// A step can be undone for this time.
  static var stepTime: Duration { .seconds(600) }
  /// Maximum number of songs that are kept only for ``undo()``.
  static var maximumKeptItems: Int { 10_000 }

  /// The queue before a change that a person has made.
  struct Step: Sendable {
    var contents: Contents
    let generation: Int
    let moment: QueueMoment
    let heardCount: Int
  }

  /// The result of ``undo()``.
  public struct Undone {
    /// True if the same entry is current as before. It then plays on.
    public let keepsCurrent: Bool
    /// The position at which the current entry continues if it is another entry, in seconds.
    public let seconds: Double
  }

  /// True if there is a change that can be undone.
  public var canUndo: Bool { !steps.isEmpty }

  /// True if ``undo()`` would bring back a queue that another list has replaced.
  public var undoReplaces: Bool { steps.last.map { $0.generation != generation } ?? false }

  /// The time at which ``dropOldSteps(at:)`` must be called. Nil if there is no step.
  public var nextStepEnd: MonotonicInstant? { steps.first?.moment.time.advanced(by: Self.stepTime) }

  /// Forgets the steps that are too old to be undone.
  public mutating func dropOldSteps(at now: MonotonicInstant) {
    let count = steps.prefix { now.wholeTime(since: $0.moment.time) >= Self.stepTime }.count
    guard count > 0 else { return }
    steps.removeFirst(count)
    dropUnreachable()
  }

  /// Undoes the last change of a person. Nil if there is nothing to undo.
  ///
  /// After an edit, the current entry stays current if it was in the queue before the edit, and what the unit has added
  /// since then stays. After the replacing of the queue, the former queue returns with its order, entry and position.
  public mutating func undo() -> Undone? {
    guard let step = steps.popLast() else { return nil }
    let current = currentID
    if step.generation == generation {
      undoEdit(step)
    } else {
      contents = step.contents
      heardCount = step.heardCount
    }
    generation = step.generation
    noteChange(removes: true)
    dropUnreachable()
    return Undone(keepsCurrent: current == currentID, seconds: step.moment.seconds)
  }

  private mutating func undoEdit(_ step: Step) {
    let present = contents
    let isNew = Set(present.list)
    contents = step.contents
    contents.heard = present.heard
    contents.shuffle = present.shuffle
    contents.hasEnded = present.hasEnded
    // A wish ends when its song has played.
    let heard = Set(present.heard)
    contents.wishes = contents.wishes.filter { id, _ in
      present.wishes[id] != nil || !isNew.contains(id) && !heard.contains(id)
    }
    if present.shuffle != step.contents.shuffle { reorder(as: present) }
    guard let current = present.currentID, let index = index(of: current) else { return }
    contents.isCurrentHeard = present.isCurrentHeard
    if !isShuffled {
      contents.at = index
    } else if present.shuffle == step.contents.shuffle {
      moveOn(as: present, current)
    }
  }

  /// Makes `current` the current entry of a shuffled order to which ``undo()`` has returned. What was heard since then
  /// is not in front any more, and what *previous* went back over is in front again.
  private mutating func moveOn(as present: Contents, _ current: ID) {
    func front(_ contents: Contents) -> ArraySlice<ID> {
      contents.order[((contents.at ?? -1) + 1)...]
    }
    let (known, isNew) = (Set(contents.list), Set(present.list))
    let (old, new) = (front(contents).filter { $0 != current }, front(present))
    let (wasInFront, isInFront) = (Set(old), Set(new))
    let ahead =
      new.filter { known.contains($0) && !wasInFront.contains($0) }
      + old.filter { isInFront.contains($0) || !isNew.contains($0) }
    let placed = Set(ahead + [current])
    let behind = present.order.filter { known.contains($0) && !placed.contains($0) }
    let rest = contents.order.filter { !isNew.contains($0) && !placed.contains($0) }
    contents.order = rest + behind + [current] + ahead
    contents.at = rest.count + behind.count
  }

  /// Takes over the playing order of `present`, in which shuffle was switched or a round has begun since the edit.
  private mutating func reorder(as present: Contents) {
    let former = currentID
    guard let shuffle = contents.shuffle else {
      contents.order = contents.list
      contents.at = former.flatMap { index(of: $0) }
      return
    }
    let (known, isOld) = (Set(contents.list), Set(present.list))
    contents.order = present.order.filter { known.contains($0) }
    contents.at =
      (present.currentID.flatMap { index(of: $0) } ?? former.flatMap { index(of: $0) })
      ?? (contents.order.isEmpty ? nil : 0)
    let returned = contents.list.filter { !isOld.contains($0) }
    if contents.at == nil {
      contents.order = mixed(returned, shuffle)
      contents.at = contents.order.isEmpty ? nil : 0
    } else {
      mixIn(returned, shuffle)
    }
  }

  // MARK: Steps

  /// Stores the present queue, so that the change that follows can be undone.
  mutating func addStep(at moment: QueueMoment) {
    steps.append(
      Step(contents: contents, generation: generation, moment: moment, heardCount: heardCount))
    guard steps.count > Self.maximumSteps else { return }
    steps.removeFirst()
    dropUnreachable()
  }

  /// Adds entries that the unit has added to the steps of the present queue.
  mutating func addToSteps(_ ids: [ID]) {
    for index in steps.indices where steps[index].generation == generation {
      steps[index].contents.list += ids
      steps[index].contents.order += ids
      if steps[index].contents.at == nil, !ids.isEmpty { steps[index].contents.at = 0 }
    }
  }

  /// Removes entries that the unit has removed from the steps of the present queue.
  mutating func removeFromSteps(_ removed: Set<ID>) {
    for index in steps.indices where steps[index].generation == generation {
      var contents = steps[index].contents
      let current = contents.currentID
      contents.list.removeAll { removed.contains($0) }
      contents.order.removeAll { removed.contains($0) }
      contents.at =
        current.flatMap { contents.order.firstIndex(of: $0) }
        ?? (contents.order.isEmpty ? nil : 0)
      steps[index].contents = contents
    }
  }

  /// Forgets the items to which no step returns, and the oldest steps while they keep too many items.
  mutating func dropUnreachable() {
    if steps.isEmpty, items.count == contents.list.count { return }
    while true {
      var reachable = Set(contents.list)
      let count = reachable.count
      for step in steps { reachable.formUnion(step.contents.list) }
      if reachable.count - count > Self.maximumKeptItems {
        steps.removeFirst()
        continue
      }
      if reachable.count < items.count { items = items.filter { reachable.contains($0.key) } }
      return
    }
  }
}
