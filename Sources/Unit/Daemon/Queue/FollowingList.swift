internal import EventLoop
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Settings

/// Gets the list that follows at the end of the queue, so that it joins without a gap. Decides when the library is
/// asked.
///
/// Used on the control thread; no call blocks.
final class FollowingList {
  /// What an answer depends on.
  private struct Question: Equatable {
    var replacements: Int
    var context: QueueContext
    var revision: Int64
    var present: Set<String>
  }

  /// The last part of a track, in which the list that follows is asked for in any case.
  private static let lastSeconds = 15.0

  private let queue: UnitQueue
  private let growth: QueueGrowth
  private let neighbours: ListNeighbours
  private var isOn: Bool
  /// What was asked last.
  private var question: Question?

  init(
    _ queue: UnitQueue, _ growth: QueueGrowth, _ neighbours: ListNeighbours, _ settings: Settings
  ) {
    self.queue = queue
    self.growth = growth
    self.neighbours = neighbours
    isOn = settings.queueEnd == .next
  }

  func use(_ settings: Settings) { isOn = settings.queueEnd == .next }

  /// If the last track of a list plays, adds the list that follows. Asks once for each state of the library. Call this
  /// in each turn.
  func update() {
    let player = queue.player
    guard isOn, player.hasChosenQueue, queue.arrival == nil, needsMore,
      player.queue.repeatMode == .off,
      let context = player.context, let node = LibraryNode(text: context.list)
    else { return }
    let library = neighbours.lists.library
    let state = library.state
    if case .own = node {
    } else {
      guard state.condition != .unavailable else { return }
      if growth.mayHaveSongs {
        // New songs of the list come before the next list, but not after the end of the last song.
        guard endsSoon else { return }
        if growth.isOutdated { return growth.askForNewSongs() }
      }
    }
    let new = Question(
      replacements: queue.replacements, context: context, revision: state.songsRevision,
      present: library.presentVolumes)
    guard new != question else { return }
    question = new
    neighbours.find(beside: node, in: context.parent, isNext: true) { [weak self] answer in
      switch answer {
      case .found(let list): self?.add(list, new)
      case .none: break
      case .failed: self?.forget(new)
      }
    }
  }

  private func add(_ list: LibraryNode, _ question: Question) {
    let collected = SongFiles(neighbours.mounted)
    neighbours.lists.songs(.node(list), row: nil, isAlone: false, receive: collected.receive) {
      [weak self] result in
      guard let self else { return }
      guard case .success(let songs) = result else { return forget(question) }
      let files = collected.files()
      guard question.replacements == queue.replacements, needsMore,
        queue.player.context == question.context, !files.isEmpty
      else { return }
      queue.extend(with: songs, files, parent: question.context.parent)
    }
  }

  /// The next turn asks again.
  private func forget(_ question: Question) {
    if self.question == question { self.question = nil }
  }

  /// True if the last song plays. If the medium of this song was pulled out, the queue waits for it.
  private var needsMore: Bool {
    let player = queue.player
    return !player.state.isStopped && player.isAtEnd
      && player.queue.current?.item.isAbsent == false
  }

  private var endsSoon: Bool {
    queue.player.remainingSeconds.map { $0 < Self.lastSeconds } ?? true
  }
}
