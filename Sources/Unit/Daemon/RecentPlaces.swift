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

  /// Notes the place in the present list, because another list follows.
  func leave(_ player: LocalPlayer) {
    // A list that never played was not left.
    guard let file = player.state.file, player.playingID > 0 else { return }
    let context =
      player.context
      ?? (player.hasChosenQueue ? nil : QueueContext(list: "all", title: ""))
    guard let context else { return }
    let seconds = player.state.isStopped ? 0 : player.elapsedSeconds
    places.add(
      SavedPlaces.Place(
        context: SavedQueue.Context(
          list: context.list, title: context.title, parent: context.parent),
        volume: file.volume?.identity ?? "", path: FileName.bytes(file.pathInVolume),
        title: file.shownTitle, milliseconds: UInt64(max(0, seconds) * 1000)))
    if isRead { store.save(places.encoded(limit: StateLayout.state.maximumPayload)) }
  }

  func shutDown() {
    if !store.shutDown(within: 2000), !places.places.isEmpty {
      log(.stateLost, "the last places were not saved", at: .now())
    }
  }
}
