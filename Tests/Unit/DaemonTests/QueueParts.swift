import EventLoop
import HeadUnit
import Settings

@testable import Daemon
@testable import UnitState

/// The queue of a unit and all that uses it, without the daemon.
struct QueueParts {
  let resumption: Resumption
  let places: RecentPlaces
  let saver: QueueSaver
  let queue: UnitQueue
  let growth: QueueGrowth
  let following: FollowingList
  let commands: QueueCommands
  let jumps: QueueJumps

  init(
    _ unit: HeadUnit, _ lists: UnitLists, _ mounted: MountedVolumes,
    _ resumption: Resumption = Resumption(.music(plays: false), UnitState()), folder: String,
    state: UnitState = UnitState(), settings: Settings = Settings(), _ turns: Turns, log: UnitLog
  ) {
    self.resumption = resumption
    places = RecentPlaces(folder: folder, isHeld: false, turns, log: log)
    saver = QueueSaver(
      unit.player, mounted, folder: folder, state: state, isHeld: false, turns, log: log)
    queue = UnitQueue(unit.player, places, resumption, mounted, turns)
    growth = QueueGrowth(queue, lists.library, mounted, turns)
    let neighbours = ListNeighbours(lists: lists, mounted: mounted)
    following = FollowingList(queue, growth, neighbours, settings)
    commands = QueueCommands(queue, lists, places, mounted, turns)
    jumps = QueueJumps(queue, commands, neighbours, turns)
  }

  func shutDown() {
    places.shutDown()
    saver.shutDown()
  }
}
