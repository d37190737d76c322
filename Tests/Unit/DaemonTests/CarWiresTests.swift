import Control
import EventLoop
import Foundation
import HeadUnit
import Input
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

@testable import CarLines
@testable import Daemon
@testable import Settings

/// The wires and the rotary encoder of a car whose GPIO lines are pipes (``PipedCar``).
@Suite struct CarWiresTests {
  private struct NoNodes: NodeSource {
    func open(_ path: String) -> NodeAnswer { .removed }
    func down(_ descriptor: Int32) -> Set<UInt16>? { [] }
  }

  private let loop = EventLoop()
  private let car = PipedCar()
  private let folder: TemporaryFolder
  private let log = UnitLog(level: .info) { _ in }
  private let center = NowPlayingCenter(volume: Volume(level: VolumeLevel(thousandths: 300)))

  init() throws { folder = try TemporaryFolder() }

  /// Creates the keys, but does not open them.
  private func keys() -> UnitKeys {
    let turns = Turns(loop)
    return UnitKeys(
      loop, center, folder: folder.path("nodes"), source: NoNodes(), UnitOutbox(turns), turns,
      log: log)
  }

  private func wires() -> CarWires {
    var settings = Settings()
    settings.stateFolder = folder.url.path
    let turns = Turns(loop)
    return CarWires(
      loop, car.access, settings, center, UnitMemory(loop, settings, turns, log: log), nil,
      MachineControl(loop, nil, mark: nil, log: log), turns, log: log)
  }

  @Test func wires_mustBeStableFor50Milliseconds_andTheButtonForFive() {
    let wires = wires()
    var settings = Settings()
    settings.headlightLine = PipedCar.line(1)
    settings.reverseLine = PipedCar.line(2)
    settings.parkingLine = PipedCar.line(3)
    settings.ignitionLine = PipedCar.line(4)
    settings.encoderButton = PipedCar.line(7)
    wires.start()
    wires.use(settings, keys())
    #expect(car.settle == [1: 50, 2: 50, 3: 50, 4: 50, 7: 5])
  }

  @Test func changedLine_isReportedWithItsWire_andABrokenOneIsUnknown() throws {
    let wires = wires()
    wires.start()
    var settings = Settings()
    settings.reverseLine = PipedCar.line(2)
    settings.parkingLine = PipedCar.line(3)
    settings.reverse = .mute
    settings.parked = .line
    car.broken = [3]
    wires.use(settings, keys())
    #expect(log.lines.map(\.text).filter { $0.hasPrefix("car.line-failed: parking: ") }.count == 1)
    #expect(wires.attenuation == .none && wires.vehicle == VehicleState(isReversing: false))
    car.move(2, true)
    try loop.turn { wires.vehicle.isReversing == true }
    #expect(wires.attenuation == .silent && wires.vehicle.isParked == nil)
    let facts = wires.facts
    #expect(facts.map(\.label) == ["reverse", "parking", "parked"])
    #expect(facts.map(\.grade) == [.plain, .bad, .plain])
    #expect(wires.findings.map(\.code) == ["car.line-failed"])
    // The finding tells which chip or line is wrong, and which setting chooses it.
    #expect(
      log.lines.map(\.text).contains("car.line-failed: parking: \(facts[1].value)"))
    #expect(wires.findings[0].found.contains(facts[1].value))
    #expect(wires.findings[0].remedy?.contains("'parking-line'") == true)
  }

  /// Two settings exchange their lines. The kernel grants a line to only one request, so both lines must be released
  /// first.
  @Test func exchangedLines_areGivenBackBeforeTheyAreOpenedAgain() {
    let wires = wires()
    var settings = Settings()
    settings.reverseLine = PipedCar.line(2)
    settings.parkingLine = PipedCar.line(3)
    car.wire(2).levels = [2: true]
    wires.start()
    wires.use(settings, keys())
    #expect(wires.isActive(.reverse) == true && wires.isActive(.parking) == false)
    (settings.reverseLine, settings.parkingLine) = (settings.parkingLine, settings.reverseLine)
    wires.use(settings, keys())
    #expect(wires.isActive(.reverse) == false && wires.isActive(.parking) == true)
  }

  @Test func encoder_setsTheVolumeStepByStep_andItsButtonPlaysAndPauses() throws {
    var settings = Settings()
    settings.encoderFirst = PipedCar.line(5)
    settings.encoderSecond = PipedCar.line(6)
    settings.encoderButton = PipedCar.line(7)
    let keys = keys()
    keys.open(settings, at: .now())
    let wires = wires()
    // A button that is down when the daemon starts was pressed earlier, so this does not count as a press.
    car.wire(7).levels = [7: true]
    wires.start()
    wires.use(settings, keys)
    #expect(keys.report?.devices.map(\.name) == ["Encoder"])
    for click in 0..<20 {
      for (index, (line, isActive)) in [(5, true), (6, true), (5, false), (6, false)].enumerated() {
        car.encoder.move(
          UInt32(line), isActive,
          at: UInt64(EventClock.monotonic.now) + UInt64(click * 5_000_000 + index * 1_250_000))
      }
    }
    try loop.turn { center.volume.level.thousandths >= 800 }
    #expect(center.volume.level.thousandths == 800)
    #expect(center.trace.records.allSatisfy { $0.origin?.name == "Encoder" })
    let turned = center.trace.records.count
    car.move(7, false)
    try loop.turn { wires.button.isActive == false }
    car.move(7, true)
    try loop.turn { center.trace.records.count > turned }
    #expect(center.trace.records[turned...].map(\.request) == [.media(.togglePlayPause)])
    keys.shutDown()
  }
}
