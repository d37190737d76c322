import EventLoop
import Foundation
import NowPlaying
import Reports
import Settings
import Synchronization
import TestKit
import Testing

@testable import Daemon

/// The configuration is read again on a thread that the test can delay.
@Suite struct ConfigurationReloadTests {
  private final class Files: Sendable {
    private let folder: String
    private let gate = DispatchSemaphore(value: 0)
    let reads = Mutex(0)

    init(_ folder: String) { self.folder = folder }

    func read() -> Configuration {
      gate.wait()
      reads.withLock { $0 += 1 }
      return PartContext.read(folder)
    }

    /// Permits one reading of the files.
    func open() { gate.signal() }
  }

  private let context: PartContext
  private let files: Files
  private let settings: UnitSettings
  private let reload: ConfigurationReload

  init() throws {
    context = try PartContext()
    let files = Files(context.folder.url.path)
    self.files = files
    settings = context.unitSettings()
    reload = ConfigurationReload(
      context.loop, { files.read() }, settings, context.turns, log: context.log)
  }

  private func take() throws -> ConfigurationReload.Reading {
    var reading: ConfigurationReload.Reading?
    try context.loop.turn {
      reading = reload.take()
      return reading != nil
    }
    return try #require(reading)
  }

  @Test func begin_readsTheFilesAsTheyAreNow_andThenAsksForATurn() throws {
    try context.folder.write("unit.conf", Array("replay-gain = album\n".utf8))
    reload.begin()
    #expect(reload.take() == nil && context.turnCount == 0)
    files.open()
    try context.loop.turn { context.turnCount == 1 }
    let reading = try #require(reload.take())
    #expect(reading.configuration.settings.replayGain == .album)
    #expect(reload.take() == nil, "a reading is used once")
  }

  /// The driver changes a setting during the reload. The reload can read the files before this change is written, so
  /// the value of the driver must have priority.
  @Test func changeOfTheDriver_whileTheFilesAreRead_isNewerThanTheReading() throws {
    reload.begin()
    settings.set("replay-gain", to: "track") { _ in }
    files.open()
    let reading = try take()
    #expect(reading.changeCount == 0 && settings.changeCount == 1)
    settings.use(reading.configuration, readAfter: reading.changeCount)
    #expect(settings.configuration.settings.replayGain == .track)
    settings.shutDown(within: Int32(Hang.milliseconds))
  }

  @Test func requestsWhileTheFilesAreRead_readThemOnceMore() throws {
    reload.begin()
    for _ in 1...2 { reload.begin() }
    files.open()
    _ = try take()
    #expect(files.reads.withLock { $0 } == 1)
    reload.end()
    files.open()
    _ = try take()
    // The second reading is up to date, so a third reading begins only after a new request.
    reload.end()
    reload.begin()
    files.open()
    _ = try take()
    reload.end()
    #expect(files.reads.withLock { $0 } == 3)
  }

  @Test func picturesThatCannotBeUsed_areReportedWithTheReading() throws {
    try context.folder.write(
      "unit.conf",
      Array(
        "button = bell: chime\nbutton-picture = bell: \(context.folder.path("bell.png"))\n".utf8))
    reload.begin()
    files.open()
    let reading = try take()
    #expect(reading.pictures.problems.count == 1 && reading.pictures.pictures.isEmpty)
  }
}
