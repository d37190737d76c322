import EventLoop
import Files
import Foundation
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

@testable import Daemon
@testable import Settings

/// The answer of the service manager.
@Suite struct SystemUnitsTests {
  private let answer = """
    Id=bluetooth.service
    LoadState=loaded
    ActiveState=failed
    SubState=failed
    Result=signal
    NRestarts=4
    ExecMainCode=2
    ExecMainStatus=11
    StateChangeTimestampMonotonic=40000000

    Id=autoharp-library.service
    LoadState=loaded
    ActiveState=activating
    SubState=auto-restart
    Result=exit-code
    NRestarts=0
    ExecMainCode=1
    ExecMainStatus=203
    StateChangeTimestampMonotonic=99999999999999999999

    Id=systemd-udevd.service
    LoadState=masked
    ActiveState=inactive
    SubState=dead
    StateChangeTimestampMonotonic=0

    Id=other.service
    ActiveState=failed
    Unknown=
    nonsense
    """

  @Test func answer_isParsed() throws {
    let list = SystemUnits(answer)
    #expect(list.units.map(\.shortName) == ["bluetooth", "library", "udevd", "other"])
    let unit = try #require(list["bluetooth.service"])
    #expect(unit.restarts == 4 && unit.end == ProcessEnd(result: "signal", status: "11"))
    #expect(unit.end.text.contains("SIGSEGV") && unit.changed?.awake == .seconds(40))
    #expect(list["autoharp-library.service"]?.changed == nil)
    #expect(list["autoharp-library.service"]?.end.text.contains("program") == true)
    #expect(SystemUnits("").units == [] && SystemUnits("=\n=x\n\n\n").units == [])
  }

  @Test func units_thatFailedOrDoNotRun_areFaults() {
    var unit = GeneratedUnit()
    func codes() -> [String] { UnitChecks(unit.snapshot).units.map(\.code) }
    #expect(codes() == ["units.none"])
    unit.machine.services = .silent
    #expect(codes() == ["units.silent"])
    unit.machine.services = .units(SystemUnits(answer))
    // When the machine starts, the late units start after the daemon.
    unit.run.began = MonotonicInstant(awake: .seconds(50))
    #expect(
      codes() == ["unit.bluetooth.failed", "unit.library.failed", "unit.udevd.masked"])
    // The other units run on while only the daemon starts again.
    for began in [1, 90] {
      unit.run.began = MonotonicInstant(awake: .seconds(began))
      #expect(
        codes() == [
          "unit.bluetooth.failed", "unit.library.failed", "unit.udevd.masked",
          "unit.journald.stopped", "unit.dbus.stopped", "unit.screen.stopped",
          "unit.library.stopped", "unit.console-poweroff.stopped", "unit.console-reboot.stopped",
          "unit.data-format.stopped", "unit.dbus.stopped", "unit.free-space.stopped",
          "unit.media.stopped", "unit.set-clock.stopped", "unit.stick-report.stopped",
          "unit.tmp.stopped",
        ])
    }
    unit.configuration.settings.isBluetoothOn = false
    unit.machine.services = .units(
      SystemUnits(
        UnitPart.permanentUnits.filter { $0 != "bluetooth.service" }
          .map { "Id=\($0)\nLoadState=loaded\nActiveState=active\n" }.joined(separator: "\n")))
    #expect(codes() == ["units.good"])
    // A unit that need not run all the time must not be switched off either. For systemd, a process that is stopped by
    // a signal runs.
    unit.machine.services = .units(
      SystemUnits(
        (UnitPart.permanentUnits.map { "Id=\($0)\nLoadState=loaded\nActiveState=active\n" } + [
          "Id=display-modules.service\nLoadState=masked\nActiveState=inactive\n",
          "Id=data.service\nLoadState=loaded\nActiveState=active\nProcessState=T\n",
        ]).joined(separator: "\n")))
    #expect(codes() == ["unit.display-modules.masked", "unit.data.halted"])
  }

  @Test func end_thatTheServiceManagerKeeps_isRead() throws {
    let folder = try TemporaryFolder()
    func end(_ line: String) throws -> String? {
      try folder.write("end", Array(line.utf8))
      return ProcessEnd.last(in: folder.path(""))?.text
    }
    #expect(try end("watchdog dumped ABRT\n") == ProcessEnd(result: "watchdog", status: "").text)
    #expect(try end("signal killed SEGV\n")?.contains("crashed: SIGSEGV") == true)
    #expect(try end("signal killed TERM\n")?.contains("SIGTERM") == true)
    #expect(try end("exit-code exited 3\n")?.contains("3") == true)
    #expect(try end("") == nil)
    #expect(try end("one two three four\n") == nil)
  }

  @Test func reader_answersAlwaysAndOnce() throws {
    let folder = try TemporaryFolder()
    let loop = EventLoop()
    let reader = ServiceReader(loop, socket: folder.path("service"))
    var answers: [ServiceReadings] = []
    reader.read { answers.append($0) }
    #expect(answers == [.noImage])
    ServiceReader(loop, socket: folder.path("service"), isImage: true).read { answers.append($0) }
    #expect(answers.removeLast() == .silent)
    let listener = try #require(UnixSocket.bound(to: folder.path("service")))
    defer { close(listener) }
    #expect(listen(listener, 4) == 0)
    // Two clients ask at the same time, and the helper is asked once.
    for _ in 0...1 { reader.read { answers.append($0) } }
    let helper = accept(listener, nil, nil)
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(helper, &buffer, buffer.count)
    #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "list\n")
    write(helper, answer, answer.utf8.count)
    close(helper)
    try loop.turn { answers.count == 3 }
    #expect(answers.dropFirst().allSatisfy { $0 == .units(SystemUnits(answer)) })
    // A helper that does not end its answer, and one that sends too much.
    reader.read { answers.append($0) }
    try loop.turn { answers.count == 4 }
    #expect(answers.last == .silent)
    reader.read { answers.append($0) }
    _ = accept(listener, nil, nil)
    let flood = accept(listener, nil, nil)
    let block = [UInt8](repeating: UInt8(ascii: "x"), count: SystemUnits.maximumBytes + 1)
    let thread = Thread {
      _ = block.withUnsafeBytes { send(flood, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      close(flood)
    }
    thread.start()
    try loop.turn { answers.count == 5 }
    #expect(answers.last == .silent)
  }
}
