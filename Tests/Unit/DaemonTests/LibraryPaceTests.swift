import AudioEngine
import EventLoop
import Foundation
import HeadUnit
import LibraryModel
import LocalPlayer
import MusicFiles
import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon
@testable import LibraryExchange
@testable import Settings

/// The scan waits while the music needs the storage. The engine and the medium are real. The test acts as the library
/// process, and records each call of `Hold`.
@Suite(
  .enabled(if: SilentFileSystem.obstacle == nil, "needs the right to mount"))
struct LibraryPaceTests {
  private final class Bench {
    let folder: TemporaryFolder
    private let stick: String
    /// The file system of the stick, which does not answer.
    let medium: SilentFileSystem
    let loop = EventLoop()
    let unit = HeadUnit(files: [], sink: NullSink())
    let library: UnitLibrary
    let pace: LibraryPace
    private var process: Bus?
    private var sources: [DescriptorSource] = []
    private var timer: TimerSource?
    /// The values of `Hold` that the process got.
    private(set) var holds: [Bool] = []

    init() throws {
      folder = try TemporaryFolder()
      stick = folder.path("stick")
      try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
      medium = try SilentFileSystem(at: stick)
      let turns = Turns(loop)
      library = UnitLibrary(
        loop, Settings(), configurationFiles: [], socket: folder.path("control"), turns,
        log: UnitLog(level: .info))
      library.open()
      pace = LibraryPace(loop, unit, library)
      turns.begin { [unowned self] in if library.takeChange() { pace.update() } }
      timer = TimerSource(loop) { [unowned self] in turn() }
      sources = try unit.descriptors.map { descriptor in
        try DescriptorSource(loop, descriptor: descriptor) { [unowned self] _ in turn() }
      }
    }

    /// Runs a turn of the unit. As in the daemon, a turn follows each event, and turns also run while no event arrives.
    private func turn() {
      _ = unit.turn()
      timer?.set(after: .milliseconds(50))
    }

    /// Plays a file of the stick. The player can choose a file without reading it, so this works although the stick
    /// does not answer.
    func play() {
      var list = MusicFileList()
      list.add(nil, path: stick + "/a.flac", title: "a", artist: nil, album: nil, seconds: nil)
      unit.player.choose(
        list.take(), first: 0, at: 0, shuffled: false,
        from: QueueContext(list: "all", title: "", parent: ""))
      turn()
      pace.update()
    }

    func beginScan() throws {
      try report(.reading(1, of: 9))
      try loop.turn { self.library.state.condition == .scanning(1, of: 9) }
    }

    /// Connects as the process of the library, and reports this state of a volume.
    func report(_ condition: VolumeReport.Condition) throws {
      if process == nil {
        let socket = try #require(UnixSocket.connected(to: folder.path("library.socket")))
        let bus = try Bus(loop, connected: socket)
        let tree = ObjectTree()
        try tree.add(
          BusObject(
            path: LibraryInterface.path, interfaces: [LibraryProcess1.interface],
            onCall: { [unowned self] call in
              var arguments = call.arguments
              if call.member == "Hold", let isHeld = try? arguments.boolean() {
                holds.append(isHeld)
              }
              call.reply()
            }))
        bus.objects = tree
        process = bus
        try loop.turn { !holds.isEmpty }
      }
      let volume = VolumeReport(identity: "a", label: "A", condition: condition)
      try process?.emit(
        LibraryInterface.path, LibraryProcess1.interface.name, "Changed",
        [VolumeCoding.value(of: LibraryReport(revision: 1, volumes: [volume]))])
    }

    deinit {
      medium.end()
      unit.shutDown()
    }
  }

  @Test func scan_isHeld_whileATrackIsBeingOpened() throws {
    let bench = try Bench()
    try bench.beginScan()
    #expect(bench.holds == [false])
    bench.play()
    try bench.loop.turn { bench.holds == [false, true] }
    // The medium fails, so nothing plays.
    bench.medium.end()
    try bench.loop.turn { bench.holds == [false, true, false] }
  }

  @Test func scanThatEnds_isNotHeldAnyMore() throws {
    let bench = try Bench()
    try bench.beginScan()
    bench.play()
    try bench.loop.turn { bench.holds.last == true }
    try bench.report(.ready)
    try bench.loop.turn { bench.holds.last == false }
  }

  /// If the scan were paused, it would never find the songs for which the unit waits.
  @Test func scan_isNotHeld_whileTheUnitWaitsForItsSongs() throws {
    let bench = try Bench()
    try bench.beginScan()
    bench.play()
    try bench.loop.turn { bench.holds.last == true }
    bench.unit.player.stop()
    bench.unit.source.listIsLate(bench.unit.source.awaitList())
    #expect(bench.unit.center.state.status == .buffering)
    try bench.loop.turn { bench.holds.last == false }
  }
}
