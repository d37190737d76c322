internal import AudioEngine
internal import EventLoop
internal import Files
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import UnitState

/// The lists that were left, and where. They are saved when a list is left; the place in the present list is in
/// the state of the unit.
///
/// Used on the control thread; no call blocks.
final class RecentPlaces {
  let store: StateStore
  private let isHeld: Bool
  private let turns: Turns
  private let log: UnitLog
  private var sources: [DescriptorSource] = []
  private(set) var isRead = false
  private(set) var places = SavedPlaces()

  /// - Parameter isHeld: true in safe mode: the saved places are neither read nor replaced.
  init(folder: String, isHeld: Bool, _ turns: Turns, log: UnitLog) {
    store = StateStore(folder: folder, name: "recent")
    self.isHeld = isHeld
    self.turns = turns
    self.log = log
  }

  /// Begins to follow the store.
  func listen(_ loop: EventLoop) throws(SystemError) {
    let read = { [weak self] in self?.restoreSaved() ?? () }
    sources = try store.events(loop, turns, log: log, read: isHeld ? nil : read)
  }

  /// Restores the saved places when they were read.
  func restoreSaved() {
    // The descriptor is also signalled after a save, and stays readable until the signal is taken.
    guard let opening = store.takeOpening(), !isRead else { return }
    isRead = true
    guard let payload = opening.payload else { return }
    do throws(UnitStateError) {
      let new = places.places
      places = try SavedPlaces(decoding: payload)
      if !places.damage.isEmpty {
        log(
          .queueRepaired, "parts of the saved places cannot be used: \(places.damage.reason)",
          at: .now())
      }
      // Places that were added before the saved ones were read are later ones.
      for place in new.reversed() { places.add(place) }
    } catch {
      log(.queueUnusable, "the saved places cannot be used: \(error.reason)", at: .now())
    }
  }

  /// The place of the last run, while its medium is missing.
  struct Awaited {
    var file: MovedFileSearch.Place
    var elapsed: SongTime
  }

  /// Notes the place in the present list, because another list follows.
  ///
  /// - Parameters:
  ///   - seconds: the position in the file; nil for that of the player.
  ///   - awaited: the place that counts if nothing has played yet.
  func leave(_ player: LocalPlayer, at seconds: Double? = nil, awaited: Awaited? = nil) {
    let context =
      player.context
      ?? (player.hasChosenQueue ? nil : QueueContext(list: "all", title: ""))
    guard let context else { return }
    let list = SavedQueue.Context(
      list: context.list, title: context.title, parent: context.parent)
    if player.playingID > 0, let file = player.state.file {
      let elapsed = seconds ?? (player.state.isStopped ? nil : player.elapsedSeconds)
      add(
        SavedPlaces.Place(
          context: list, volume: file.volume?.identity ?? "",
          path: FileName.bytes(file.pathInVolume), title: file.shownTitle, elapsed: .zero,
          heard: Self.heard(player, elapsed ?? 0)), at: elapsed)
    } else if let awaited {
      let name = awaited.file.path.split(separator: UInt8(ascii: "/")).last ?? []
      add(
        SavedPlaces.Place(
          context: list, volume: awaited.file.volume, path: awaited.file.path,
          title: player.queue.current?.item.shownTitle
            ?? FileName.withoutSuffix(name), elapsed: .zero),
        at: awaited.elapsed.seconds)
    }
  }

  /// How much of the queue was heard, in thousandths: the songs before the present one, and its heard part.
  private static func heard(_ player: LocalPlayer, _ elapsed: Double) -> UInt16? {
    let queue = player.queue
    guard let place = queue.currentID.flatMap(queue.index) else { return nil }
    let duration =
      player.state.description?.durationSeconds ?? player.state.file?.declaredSeconds ?? 0
    let part = duration > 0 ? min(max(elapsed / duration, 0), 1) : 0
    let heard = (Double(place) + part) / Double(queue.count)
    return UInt16(exactly: (heard * Double(SavedPlaces.Place.wholeList)).rounded(.down))
  }

  /// Adds a place.
  /// - Parameter seconds: nil if the player has stopped. Then an earlier place in the same file stays: the list was
  ///   left when its medium was removed.
  private func add(_ place: SavedPlaces.Place, at seconds: Double?) {
    var place = place
    if let seconds {
      place.elapsed = SongTime(nearestSeconds: seconds)
    } else {
      let earlier = places.places.first {
        $0.context.list == place.context.list && $0.volume == place.volume
          && $0.path == place.path
      }
      place.elapsed = earlier?.elapsed ?? .zero
      if let earlier { place.heard = earlier.heard }
    }
    places.add(place)
    if isRead { store.save(places.encoded(limit: StateLayout.state.maximumPayload)) }
  }

  func shutDown() {
    if !store.shutDown(within: 2000), !places.places.isEmpty {
      log(.stateLost, "the last places were not saved", at: .now())
    }
  }
}
