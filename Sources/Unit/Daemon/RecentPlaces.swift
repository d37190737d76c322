internal import AudioEngine
internal import Files
internal import HeadUnit
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
  private let log: UnitLog
  private var isRead = false
  private(set) var places = SavedPlaces()

  init(folder: String, log: UnitLog) {
    store = StateStore(folder: folder, name: "recent")
    self.log = log
  }

  /// Takes the saved places when they were read.
  func takeSaved() {
    // The descriptor is also signalled after a save, and stays readable until the signal is taken.
    guard let opening = store.takeOpening(), !isRead else { return }
    isRead = true
    guard let payload = opening.payload else { return }
    do throws(UnitStateError) {
      let new = places.places
      places = try SavedPlaces(decoding: payload)
      // Places that were added before the saved ones were read are later ones.
      for place in new.reversed() { places.add(place) }
    } catch {
      log(.queueUnusable, "the saved places cannot be used: \(error.reason)", at: .now())
    }
  }

  /// The place of the last run, while its medium is missing.
  struct Awaited {
    var file: MovedFileSearch.Place
    var milliseconds: UInt64
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
          path: FileName.bytes(file.pathInVolume), title: file.shownTitle, milliseconds: 0,
          heard: Self.heard(player, elapsed ?? 0)), at: elapsed)
    } else if let awaited {
      let name = awaited.file.path.split(separator: UInt8(ascii: "/")).last ?? []
      add(
        SavedPlaces.Place(
          context: list, volume: awaited.file.volume, path: awaited.file.path,
          title: player.queue.current?.item.shownTitle
            ?? FileName.withoutSuffix(name), milliseconds: 0),
        at: Double(awaited.milliseconds) / 1000)
    }
  }

  /// How much of the queue was heard, in thousandths: the songs before the present one, and its heard part.
  private static func heard(_ player: LocalPlayer, _ elapsed: Double) -> UInt64? {
    let queue = player.queue
    guard let place = queue.currentID.flatMap(queue.place) else { return nil }
    let duration =
      player.state.description?.durationSeconds ?? player.state.file?.declaredSeconds ?? 0
    let part = duration > 0 ? min(max(elapsed / duration, 0), 1) : 0
    return UInt64((Double(place) + part) / Double(queue.count) * 1000)
  }

  /// Adds a place.
  /// - Parameter seconds: nil if the player has stopped. Then an earlier place in the same file stays: the list was
  ///   left when its medium was removed.
  private func add(_ place: SavedPlaces.Place, at seconds: Double?) {
    var place = place
    if let seconds {
      place.milliseconds = UInt64(max(0, seconds) * 1000)
    } else {
      let earlier = places.places.first {
        $0.context.list == place.context.list && $0.volume == place.volume
          && $0.path == place.path
      }
      place.milliseconds = earlier?.milliseconds ?? 0
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
