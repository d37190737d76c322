import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon

/// Files in a folder of the test replace the files of the kernel.
@Suite struct BoardMonitorTests {
  private let loop = EventLoop()
  private let folder: TemporaryFolder

  private let log = UnitLog(level: .info) { _ in }

  init() throws { folder = try TemporaryFolder() }

  private var reports: Int {
    log.lines.count { $0.text.hasPrefix("\(LogEvent.lowVoltage.rawValue): ") }
  }

  private func write(_ path: String, _ text: String) throws {
    let parent = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(
      atPath: folder.path(parent), withIntermediateDirectories: true)
    try folder.write(path, Array("\(text)\n".utf8))
  }

  private func monitor() -> BoardMonitor { BoardMonitor(loop, folder: folder.url.path, log: log) }

  private func codes(_ board: BoardState) -> [String] {
    var unit = GeneratedUnit()
    unit.run.board = board
    return UnitChecks(unit.snapshot).board.map(\.code)
  }

  private func rows(_ board: BoardState) -> [FactsReport.Fact] {
    var unit = GeneratedUnit()
    unit.run.board = board
    return unit.facts.board
  }

  /// The sensors of a PC have other names than the sensors of a board, so the monitor ignores them.
  @Test func boardWithoutTheFiles_reportsNothing() throws {
    try write("hwmon/hwmon0/name", "coretemp")
    try write("hwmon/hwmon0/in0_lcrit_alarm", "1")
    try write("thermal/thermal_zone0/type", "acpitz")
    try write("thermal/thermal_zone0/temp", "95000")
    let monitor = monitor()
    try loop.step(timeout: Hang.limit)
    #expect(monitor.state == BoardState())
    #expect(codes(monitor.state).isEmpty && rows(monitor.state).isEmpty)
  }

  @Test func lowVoltage_isReportedOnce_andRemembered() throws {
    try write("hwmon/hwmon3/name", "rpi_volt")
    try write("hwmon/hwmon3/in0_lcrit_alarm", "0")
    let monitor = monitor()
    try loop.turn { monitor.state.supply == .good }
    #expect(codes(monitor.state) == ["supply.good"])
    try write("hwmon/hwmon3/in0_lcrit_alarm", "1")
    try loop.turn { monitor.state.supply == .low }
    #expect(reports == 1 && codes(monitor.state) == ["supply.low"])
    #expect(rows(monitor.state).map(\.grade) == [.bad])
    try write("hwmon/hwmon3/in0_lcrit_alarm", "0")
    try loop.turn { monitor.state.supply != .low }
    guard case .wasLow = monitor.state.supply else {
      Issue.record("the low voltage is forgotten: \(monitor.state.supply)")
      return
    }
    #expect(reports == 1 && codes(monitor.state) == ["supply.was-low"])
    #expect(rows(monitor.state).map(\.grade) == [.bad])
  }

  @Test func temperature_isThatOfTheHottestProcessor_andTheHighestIsRemembered() throws {
    try write("thermal/thermal_zone0/type", "cpu-thermal")
    try write("thermal/thermal_zone0/temp", "79999")
    try write("thermal/thermal_zone1/type", "gpu-thermal")
    try write("thermal/thermal_zone1/temp", "99000")
    let monitor = monitor()
    try loop.step(timeout: Hang.limit)
    #expect(monitor.state.temperature == 79)
    #expect(codes(monitor.state) == ["temperature.good"])
    #expect(rows(monitor.state).map(\.value) == ["79 °C"])
    try write("thermal/thermal_zone0/temp", "80000")
    monitor.readTemperature()
    #expect(codes(monitor.state) == ["temperature.high"])
    #expect(rows(monitor.state).map(\.grade) == [.bad])
    try write("thermal/thermal_zone0/temp", "51234")
    monitor.readTemperature()
    #expect(monitor.state.temperature == 51 && monitor.state.highest == 80)
    #expect(codes(monitor.state) == ["temperature.was-high"])
    #expect(rows(monitor.state).map(\.grade) == [.plain])
  }

  @Test(arguments: ["", "hot", "-300000", "99999999999999999999"])
  func implausibleTemperature_isUnknown(_ text: String) throws {
    try write("thermal/thermal_zone0/type", "cpu-thermal")
    try write("thermal/thermal_zone0/temp", text)
    let monitor = monitor()
    monitor.readTemperature()
    #expect(monitor.state.temperature == nil && monitor.state.highest == nil)
  }
}
