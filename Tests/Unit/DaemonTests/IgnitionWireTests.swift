import AudioEngine
import Control
import EventLoop
import Foundation
import HeadUnit
import LocalPlayer
import NowPlaying
import Reports
import TestKit
import Testing
import UnitState

@testable import CarLines
@testable import Daemon
@testable import Settings

/// A whole daemon in this process plays a song without a sound card. A pipe replaces the ignition wire.
@Suite struct IgnitionWireTests {
  private static let ignition: UInt32 = 4

  private let home: ServeProcess.Home
  private let car = PipedCar()
  private let daemon: UnitDaemon

  init() throws {
    home = try ServeProcess.Home()
    try home.music("song", seconds: 600)
    try FileManager.default.createDirectory(
      atPath: home.folder.path("power"), withIntermediateDirectories: true)
    car.wire(Self.ignition).levels = [Self.ignition: true]
    daemon = Self.daemon(home, car, delay: .seconds(3600))
  }

  private static func daemon(
    _ home: ServeProcess.Home, _ car: PipedCar, delay: Duration
  ) -> UnitDaemon {
    UnitDaemon(home) {
      $0.ignitionLine = PipedCar.line(ignition)
      $0.ignitionOffDelay = delay
    } start: {
      $0.carLines = car.access
      $0.powerRequest = PowerRequest(folder: home.folder.path("power"))
    }
  }

  private var status: PlaybackStatus { daemon.unit.center.state.status }

  private func events(_ event: LogEvent) -> Int {
    daemon.log.lines.count { $0.text.hasPrefix("\(event.rawValue): ") }
  }

  private var isPowerDownRequested: Bool {
    FileManager.default.fileExists(atPath: home.folder.path("power/poweroff"))
  }

  private func turn(until condition: () -> Bool, line: Int = #line) throws {
    try daemon.loop.turn(until: condition, line: line)
  }

  private func play(_ daemon: UnitDaemon) throws {
    try daemon.begin()
    try daemon.loop.turn { daemon.unit.center.state.status == .playing }
  }

  @Test func ignitionThatIsOnAgainInTime_playsOn() throws {
    try play(daemon)
    defer { daemon.shutDown() }
    let saved = SavedUnitState(home)
    car.move(Self.ignition, false)
    try turn { status == .interrupted }
    // The state is saved at once, with `wasPlaying` set. So a power cut from now on loses nothing.
    try turn { (try? saved.latest).map { $0.wasPlaying && $0.file != nil } ?? false }
    let elapsed = daemon.unit.player.elapsedSeconds
    car.move(Self.ignition, true)
    try turn { status == .playing }
    #expect(daemon.unit.player.elapsedSeconds >= elapsed)
    #expect(events(.ignitionOff) == 1 && events(.ignitionOn) == 1)
    #expect(!isPowerDownRequested)
  }

  @Test func ignitionThatStaysOff_powersDown_andTheStateSaysThatItPlayed() throws {
    let daemon = Self.daemon(home, car, delay: .milliseconds(20))
    try play(daemon)
    defer { daemon.shutDown() }
    car.move(Self.ignition, false)
    try daemon.loop.turn { isPowerDownRequested }
    #expect(daemon.log.lines.contains { $0.text.hasPrefix("\(LogEvent.unitPower.rawValue): ") })
    #expect(daemon.unit.center.state.status == .interrupted)
    // A power-down cannot be cancelled, so ignition that is on again must have no effect.
    car.move(Self.ignition, true)
    try daemon.loop.turn { daemon.car.isActive(.ignition) == true }
    #expect(daemon.unit.center.state.status == .interrupted)
    #expect(!daemon.log.lines.contains { $0.text.hasPrefix("\(LogEvent.ignitionOn.rawValue): ") })
  }

  @Test func powerDownThatIsRefused_isLogged_andTriedAgain() throws {
    try FileManager.default.removeItem(atPath: home.folder.path("power"))
    let daemon = Self.daemon(home, car, delay: .milliseconds(20))
    try play(daemon)
    defer { daemon.shutDown() }
    car.move(Self.ignition, false)
    try daemon.loop.turn {
      daemon.log.lines.contains { $0.text.hasPrefix("\(LogEvent.ignitionFailed.rawValue): ") }
    }
    guard case .off = daemon.car.ignition.state else {
      Issue.record("the unit does not try again: \(daemon.car.ignition.state)")
      return
    }
  }

  /// If the GPIO chip disappears, the ignition wire counts as broken.
  @Test func brokenWire_countsAsOn() throws {
    try play(daemon)
    defer { daemon.shutDown() }
    car.move(Self.ignition, false)
    try turn { status == .interrupted }
    car.broken = [Self.ignition]
    car.wire(Self.ignition).remove()
    try turn { status == .playing }
    #expect(events(.carLineFailed) == 1)
    #expect(daemon.car.isActive(.ignition) == nil && daemon.car.ignition.state == .unknown)
    #expect(!isPowerDownRequested)
  }
}
