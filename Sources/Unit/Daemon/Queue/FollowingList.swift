internal import EventLoop
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Settings

/// When the last track of the queue plays, adds the songs of the next list, so that the next list begins without a gap.
/// Decides when the library is asked for the next list (see ``ListNeighbours``).
///
/// Used on the control thread; no call blocks.
final class FollowingList {
  /// The values on which the next list depends. The next list is requested again if one of these values changes.
  private struct Question: Equatable {
    var replacements: Int
    var context: QueueContext
    var revision: Int64
    var present: Set<String>
  }

  /// When a track has only this time left, the next list is requested even if the present list can still grow.
  private static let lastSeconds = 15.0

  private let queue: UnitQueue
  private let growth: QueueGrowth
  private let neighbours: ListNeighbours
  private var isOn: Bool
  /// The values of the last request for a next list. Nil before the first request and after a failure.
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

  /// If the last track of the queue plays, requests the next list and adds it. Call this in each turn of ``Turns``.
  func update() {
    let player = queue.player
    guard isOn, player.hasChosenQueue, !player.queue.isEmptied, queue.arrival == nil, needsMore,
      player.queue.repeatMode == .off,
      let context = player.context, let node = LibraryNode(text: context.list)
    else { return }
    let library = neighbours.lists.library
    let state = library.state
    if case .own = node {
    } else {
      guard state.condition != .unavailable else { return }
      if growth.mayHaveSongs {
        // The library can still find songs of the present list, which come before the next list. So the next list waits
        // until the last seconds of the track.
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

  /// Forgets the request for a next list, so that the next turn repeats the request.
  private func forget(_ question: Question) {
    if self.question == question { self.question = nil }
  }

  /// True if the last song of the queue plays, or could not be opened. False if its medium was removed: the queue then
  /// waits for the medium.
  private var needsMore: Bool {
    let player = queue.player
    return (player.hasRunOut || !player.state.isStopped) && player.isAtEnd
      && player.queue.current?.item.isAbsent == false
  }

  private var endsSoon: Bool {
    queue.player.remainingSeconds.map { $0 < Self.lastSeconds } ?? true
  }
}
