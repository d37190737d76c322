import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon
@testable import LibraryExchange

/// A library that is absent, and the connection to the library process. The test acts as the library process.
@Suite struct UnitLibraryTests {
  /// The library's side of the connection. It answers each call.
  private final class Process {
    let bus: Bus
    private var calls = 0

    /// Connects, and waits for the first call of the daemon.
    init(_ loop: EventLoop, _ socket: String) throws {
      bus = try Bus(loop, connected: try #require(UnixSocket.connected(to: socket)))
      let tree = ObjectTree()
      try tree.add(
        BusObject(
          path: LibraryInterface.path, interfaces: [LibraryProcess1.interface],
          onCall: { [unowned self] call in
            calls += 1
            call.reply()
          }))
      bus.objects = tree
      try loop.turn { calls > 0 }
    }

    /// Reports a volume that was read and contains no songs.
    func report(_ identity: String) throws {
      let volume = VolumeReport(identity: identity, label: "A", condition: .ready)
      try bus.emit(
        LibraryInterface.path, LibraryProcess1.interface.name, "Changed",
        [VolumeCoding.value(of: LibraryReport(revision: 1, volumes: [volume]))])
    }
  }

  private let context: PartContext

  init() throws { context = try PartContext() }

  private var socket: String { context.folder.path("library.socket") }
  private var hasSocket: Bool { FileManager.default.fileExists(atPath: socket) }

  private func library(_ absence: LibraryFailure?, in folder: String = "") -> UnitLibrary {
    UnitLibrary(
      context.loop, context.settings, absence: absence, configurationFiles: [],
      socket: context.folder.path("\(folder)control"), context.turns, log: context.log)
  }

  /// The socket is removed. Otherwise the service manager would start the library.
  @Test(arguments: [LibraryFailure.off, .safeMode])
  func absentLibrary_removesTheSocketOfAKilledDaemon_andNeverAnswers(_ absence: LibraryFailure)
    throws
  {
    try context.folder.write("library.socket", [])
    let library = library(absence)
    library.open()
    #expect(!hasSocket && library.absence == absence)
    let isRequested = try context.isTurnRequested {
      library.start()
      library.setVolumes(PresentVolumes())
    }
    #expect(!isRequested && !library.takeChange() && !library.takeLateness())
    #expect(library.state.condition == .unavailable && context.log.lines.isEmpty)
  }

  @Test func socketThatCannotBeOpened_isNoLibrary() {
    let library = library(nil, in: "missing/")
    library.open()
    #expect(library.absence == .off && context.logged(.libraryFailed) == 1)
  }

  @Test func unavailableLibrary_refusesRequests() {
    let library = library(nil)
    library.open()
    #expect(hasSocket && library.absence == nil)
    #expect(library.rescan("")?.code == .libraryUnavailable)
    #expect(library.forget("a")?.code == .libraryUnavailable)
    library.shutDown()
    #expect(!hasSocket)
  }

  @Test func processThatReports_isAChangeWithATurn_andItsEndIsOneToo() throws {
    let library = library(nil)
    library.open()
    #expect(!library.takeChange())
    let process = try Process(context.loop, socket)
    try process.report("a")
    try context.loop.turn { context.turnCount > 0 }
    #expect(library.takeChange() && !library.takeChange())
    #expect(library.state.condition == .ready && context.logged(.libraryFound) == 1)
    // No volume of the unit has this identity, so the source is absent and can be forgotten.
    #expect(library.state.volumes.map(\.path) == [nil] && library.presentVolumes.isEmpty)
    #expect(library.forget("b")?.code == .noSuchSource && library.forget("a") == nil)
    process.bus.close()
    try context.loop.turn { library.takeChange() }
    #expect(library.state.condition == .unavailable && context.logged(.libraryLost) == 1)
  }

  @Test func sourceThatIsPresent_cannotBeForgotten_andPlaysIfItsMusicDoes() throws {
    let library = library(nil)
    library.open()
    let music = MusicVolume(
      path: context.folder.path("music"), mount: "1", name: "MUSIC", isStick: false)
    let volumes = PresentVolumes([music], sticks: [])
    let identity = try #require(volumes.volumes.keys.first)
    library.setVolumes(volumes)
    let process = try Process(context.loop, socket)
    try process.report(identity)
    try context.loop.turn { library.takeChange() }
    #expect(library.presentVolumes == [identity])
    #expect(library.forget(identity)?.code == .sourcePresent)
    #expect(try context.isTurnRequested { library.playingVolume = identity })
    #expect(library.state.volumes.map(\.plays) == [true])
  }
}
