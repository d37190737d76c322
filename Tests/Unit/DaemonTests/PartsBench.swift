import AudioEngine
import EventLoop
import HeadUnit
import LibraryModel
import NowPlaying
import Settings
import TestKit

@testable import Daemon

/// Creates all parts of the daemon, without `UnitDaemon`.
final class PartsBench {
  let context: PartContext
  let unit: HeadUnit
  let memory: UnitMemory
  let bluetooth: UnitBluetooth
  let sound: UnitSound
  let notices: UnitNotices
  let queue: QueueParts
  let parts: UnitParts
  let control: UnitControl
  /// The failures of the amplifier that the output reports.
  let failures = PendingFailures()
  private let playlists: UnitPlaylists

  /// - Parameter lines: see ``PartContext``.
  init(
    _ lines: [String] = [], plan: StartPlan = .music(plays: false),
    storageLimit: Duration = Hang.limit,
    start change: (inout UnitDaemon.Start, PartContext) -> Void = { _, _ in }
  ) throws {
    let context = try PartContext(lines)
    self.context = context
    let (loop, turns, log, settings) = (context.loop, context.turns, context.log, context.settings)
    let configuration = context.configuration
    var start = UnitDaemon.Start(
      configuration: configuration, readConfiguration: { configuration },
      makeSink: { _, _, _ in NullSink() }, version: "test")
    start.carLines = PipedCar().access
    (start.powerRequest, start.erasureMark) = (nil, nil)
    change(&start, context)

    let isSafeMode = plan.isSafeMode
    memory = UnitMemory(loop, settings, turns, log: log)
    let state = memory.opened
    let run = UnitRun(start, isSafeMode: isSafeMode, turns)
    let mounted = MountedVolumes()
    let library = UnitLibrary(
      loop, settings, absence: isSafeMode ? .safeMode : settings.isLibraryOn ? nil : .off,
      configurationFiles: [], socket: run.socket, turns, log: log)
    playlists = UnitPlaylists(loop, settings, isHeld: isSafeMode, mounted, turns, log: log)
    let lists = UnitLists(playlists, library)
    let sink = start.makeSink(settings, []) { _ in }
    let unitSettings = context.unitSettings()
    let resumption = Resumption(plan, state)
    let buttons = ConfiguredButtons(settings, turns, log: log)
    let recentLists = RecentListSaver(
      folder: settings.stateFolder, isHeld: false, turns, log: log)
    unit = HeadUnit(
      files: [], sink: sink,
      options: HeadUnit.Options(
        unitSettings, plan, state, buttons, resumption, recentLists, turns),
      marks: playlists.marks)
    bluetooth = UnitBluetooth(
      loop, unit, settings, plan, memory,
      buttons, bus: .bus("unix:path=\(context.folder.path("bus"))"),
      turns,
      log: log)
    sound = UnitSound(
      loop, start, output: sink.name, failures, unit, bluetooth, memory, context.outbox, log: log)
    queue = QueueParts(
      unit, lists, mounted, resumption, recentLists, folder: settings.stateFolder, state: state,
      settings: settings, turns, log: log)
    let machine = MachineControl(loop, start.powerRequest, mark: start.erasureMark, log: log)
    let music = MusicFolders(
      unit, queue.queue, resumption, settings, library, mounted, context.outbox, turns, log: log)
    notices = UnitNotices(
      loop, isSafeMode: isSafeMode,
      StorageMonitor(
        folder: context.folder.path("reports"),
        sticks: StickReports(folder: context.folder.path("sticks"))), music, unitSettings,
      bluetooth, memory, context.outbox, turns, log: log)
    parts = UnitParts(
      loop: loop, run: run, unit: unit, settings: unitSettings, memory: memory, notices: notices,
      music: music, lists: lists, queue: queue.commands,
      bluetooth: bluetooth, apps: UnitApps(loop, unit, plan, buttons, nil, turns, log: log),
      keys: UnitKeys(loop, unit.center, bluetooth.target, context.outbox, turns, log: log),
      car: CarWires(
        loop, start.carLines, settings, unit.center, memory, nil, machine, turns, log: log),
      holds: UnitHolds(loop, unit.center, file: nil, turns), sound: sound,
      board: BoardMonitor(loop, folder: context.folder.path("board"), log: log), machine: machine,
      storage: StorageReader(loop, limit: storageLimit),
      devices: DeviceTextReader(loop),
      services: ServiceReader(loop, socket: context.folder.path("service")),
      outbox: context.outbox, log: log)
    control = UnitControl(parts, turns)
  }

  deinit {
    context.turns.end()
    parts.music.shutDown()
    playlists.shutDown()
    queue.shutDown()
    memory.shutDown()
    bluetooth.shutDown()
    parts.settings.shutDown(within: 1000)
    unit.shutDown()
  }
}
