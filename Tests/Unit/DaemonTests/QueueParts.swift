import Control
import EventLoop
import HeadUnit
import LibraryModel
import NowPlaying
import Settings
import SystemClock

@testable import Daemon
@testable import UnitState

/// The queue of a unit and the parts that use the queue, without the daemon.
struct QueueParts {
  let resumption: Resumption
  let places: RecentListSaver
  let saver: QueueSaver
  let queue: UnitQueue
  let growth: QueueGrowth
  let following: FollowingList
  let commands: QueueCommands
  let owner: UnitListOwner
  private let port: SurfacePort

  init(
    _ unit: HeadUnit, _ lists: UnitLists, _ mounted: MountedVolumes,
    _ resumption: Resumption = Resumption(.music(plays: false), UnitState()),
    _ recentLists: RecentListSaver? = nil, folder: String,
    state: UnitState = UnitState(), settings: Settings = Settings(), _ turns: Turns, log: UnitLog
  ) {
    self.resumption = resumption
    places = recentLists ?? RecentListSaver(folder: folder, isHeld: false, turns, log: log)
    saver = QueueSaver(
      unit.player, mounted, folder: folder, state: state, isHeld: false, turns, log: log)
    queue = UnitQueue(unit, places, resumption, mounted, turns)
    growth = QueueGrowth(queue, lists.library, mounted, turns)
    let neighbours = ListNeighbours(lists: lists, mounted: mounted)
    following = FollowingList(queue, growth, neighbours, settings)
    commands = QueueCommands(queue, lists, places, mounted, turns)
    owner = UnitListOwner(
      unit, commands, QueueJumps(queue, commands, neighbours, turns), UnitOutbox(turns), turns,
      log: log)
    port = unit.center.connect(SurfaceDescription(id: "test"), at: .now()) { _ in }
  }

  /// Sends a request for a list, as a surface does.
  func send(_ request: ListRequest, _ answer: @escaping (CommandAnswer) -> Void = { _ in }) {
    port.send(.list(request), on: .text, at: .now(), answer: answer)
  }

  /// Plays a list.
  func play(
    _ list: TrackList, row: RowReference? = nil, _ mode: PlayMode = .now,
    _ answer: @escaping (Refusal?) -> Void
  ) {
    send(.play(list: list.text, row: row?.identifier, mode: mode.rawValue)) { answer($0.refusal) }
  }

  func shutDown() {
    places.shutDown()
    saver.shutDown()
  }
}
