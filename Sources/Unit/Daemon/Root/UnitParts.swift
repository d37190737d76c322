internal import Control
internal import EventLoop
internal import HeadUnit

/// The parts of the daemon that answer requests of clients. All of them exist when this value is created.
struct UnitParts {
  let loop: EventLoop
  let run: UnitRun
  let unit: HeadUnit
  let settings: UnitSettings
  let memory: UnitMemory
  let notices: UnitNotices
  let music: MusicFolders
  let lists: UnitLists
  let queue: QueueCommands
  let bluetooth: UnitBluetooth
  let apps: UnitApps
  let keys: UnitKeys
  let car: CarWires
  let holds: UnitHolds
  let sound: UnitSound
  let board: BoardMonitor
  let machine: MachineControl
  let storage: StorageReader
  let devices: DeviceTextReader
  let services: ServiceReader
  let outbox: UnitOutbox
  let log: UnitLog
}
