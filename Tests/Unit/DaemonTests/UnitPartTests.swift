import Files
import EventLoop
import Foundation
import HeadUnit
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing
import UnitState

@testable import Daemon
@testable import Settings

/// Each part of the unit has a check, and a part that does not answer is a fault.
@Suite struct UnitPartTests {
  private func findings(_ bench: PartsBench) throws -> [DiagnosisReport.Finding] {
    var findings: [DiagnosisReport.Finding]?
    bench.control.findings { findings = $0 }
    try bench.context.loop.turn { findings != nil }
    return try #require(findings)
  }

  @Test func eachPart_answers() throws {
    let bench = try PartsBench()
    try bench.parts.storage.start()
    let silent = try findings(bench).filter { $0.code == "part.silent" }
    #expect(silent == [])
  }

  @Test(arguments: UnitPart.allCases) func part_thatDoesNotAnswer_isAFault(_ part: UnitPart) {
    let others = UnitPart.allCases.filter { $0 != part }
    let findings = others.map { DiagnosisReport.Finding($0.codes[0] + "x", "x", .good, "x") }
    let silent = UnitPart.silentParts(findings)
    #expect(silent.map(\.code) == ["part.silent"] && silent[0].subject == part.rawValue)
    #expect(silent[0].grade == .bad)
  }

  /// The check of each part of the root. A part that is new in the root needs a check, and a row here.
  @Test func eachPartOfTheRoot_hasACheck() throws {
    let checks: [String: [UnitPart]] = [
      "loop": [.units], "run": [.lastEnd], "unit": [.output, .volume], "settings": [.configuration],
      "memory": [.storage, .lastEnd], "notices": [.storage, .bootPartition, .sticks],
      "music": [.music, .sticks], "lists": [.library], "queue": [.storage],
      "bluetooth": [.bluetoothd, .controller], "apps": [.units], "keys": [.keys],
      "car": [.carLines], "holds": [.output], "sound": [.output, .card], "board": [.memory],
      "machine": [.units], "storage": [.storage, .covers], "services": [.units],
      "devices": [.kernel, .screen, .clock, .sticks], "outbox": [.screen], "log": [.kernel],
    ]
    let members = Mirror(reflecting: try PartsBench().parts).children.compactMap(\.label)
    #expect(Set(members) == Set(checks.keys))
    #expect(checks.values.allSatisfy { !$0.isEmpty })
  }

  @Test func systemdUnit_belongsToOnePart() {
    let units = UnitPart.allCases.flatMap(\.units)
    #expect(Set(units).count == units.count)
    #expect(UnitPart.part(of: "stick@sdb1.service") == .sticks)
    #expect(UnitPart.part(of: "autoharp-library.service") == .library)
    #expect(UnitPart.part(of: "other.service") == nil)
    #expect(UnitPart.permanentUnits.allSatisfy { UnitPart.part(of: $0) != nil })
  }

  @Test func explanations_haveNoCircle() {
    let rules = DiagnosisReport.explanations
    func reaches(_ cause: String, _ steps: Int) -> Bool {
      steps > rules.count
        || rules.filter { cause.hasPrefix($0.cause) || $0.cause.hasPrefix(cause) }
          .contains { $0.consequences.contains { reaches($0, steps + 1) } }
    }
    for rule in rules { #expect(!reaches(rule.cause, 0), "\(rule.cause)") }
  }

  @Test func consequences_standBelowTheirCause() {
    let unit = DiagnosisReport.Finding("unit.dbus.failed", "dbus", .bad, "failed")
    let service = DiagnosisReport.Finding("unit.bluetooth.failed", "bluetooth", .bad, "failed")
    let phones = DiagnosisReport.Finding("bluetooth.no-service", "bluetooth", .bad, "not running")
    let other = DiagnosisReport.Finding("keys.stuck", "keys", .bad, "held")
    let screen = DiagnosisReport.Finding("screen.none", "screen", .note, "none")
    let report = DiagnosisReport(findings: [phones, screen, service, other, unit], paths: [])
    #expect(report.faults == [other, unit] && report.problemCount == 2)
    #expect(report.cause(of: phones) == unit)
    #expect(report.consequences(of: unit) == [phones, service])
    #expect(report.consequences(of: other) == [])
    // A fault that is over comes after one that lasts.
    let past = DiagnosisReport.Finding("ends.crashed", "last end", .bad, "crashed")
    #expect(DiagnosisReport(findings: [past, other], paths: []).faults == [other, past])
  }
}

/// The checks of the machine, from generated readings.
@Suite struct MachineCheckTests {
  private func codes(_ unit: GeneratedUnit, _ prefix: String) -> [String] {
    UnitChecks(unit.snapshot).all.filter { $0.grade != .good && $0.code.hasPrefix(prefix) }
      .map(\.code)
  }

  @Test func memory_isAFaultOnlyIfItIsShort() {
    var unit = GeneratedUnit()
    func codes(_ total: Int, _ available: Int, load: Double = 0) -> [String] {
      unit.machine.kernelReadings.memory = .init(total: total << 10, available: available << 10)
      unit.machine.kernelReadings.load = load
      return self.codes(unit, "memory.")
    }
    #expect(codes(512, 300) == [])
    #expect(codes(512, 23) == ["memory.low"])
    #expect(codes(192, 100) == ["memory.small"])
    #expect(UnitChecks(unit.snapshot).memory[0].grade == .bad)
    #expect(codes(512, 300, load: 4) == ["memory.load"])
    unit.machine.kernelReadings.pressure = 80
    #expect(codes(512, 300) == ["memory.load"])
    unit.run.began = MonotonicInstant(awake: .seconds(90))
    #expect(codes(512, 300) == [], "many programs run at once at the start")
    unit.machine.kernelReadings.pressure = 10
    // On a desktop, the kernel also counts programs that do not belong to the unit.
    unit.machine.kernelReadings.killed = 2
    #expect(codes(512, 300) == [])
    unit.machine.services = .units(SystemUnits(""))
    #expect(codes(512, 300) == ["memory.killed"])
  }

  @Test func kernel_remembersItsFaults() {
    let unit = GeneratedUnit()
    #expect(codes(unit, "kernel.") == [])
    unit.machine.kernelReadings.faults = [.oops, .softLockup]
    #expect(codes(unit, "kernel.") == ["kernel.oops", "kernel.warning"])
  }

  @Test func fileSystemOfTheUnit_withErrors_isAFault() {
    let unit = GeneratedUnit()
    unit.machine.kernelReadings.ownErrors = ["vda4": 2]
    #expect(codes(unit, "storage.") == [], "a desktop")
    unit.machine.services = .units(SystemUnits(""))
    #expect(codes(unit, "storage.") == ["storage.errors"])
  }

  @Test func kernel_thatWaitsForADevice_isNamed() {
    let unit = GeneratedUnit()
    unit.machine.kernelReadings.silentDevices = [.usb]
    #expect(codes(unit, "kernel.") == ["kernel.device-silent"])
  }

  /// A program that was ended in the morning does not hide the reason for the silence.
  @Test func remark_aboutNow_comesBeforeOneAboutThePast() {
    var unit = GeneratedUnit()
    unit.machine.services = .units(SystemUnits(""))
    unit.machine.kernelReadings.killed = 1
    unit.repeatsOne = true
    unit.screen = .shows
    func remark() -> String? {
      let notes = UnitChecks(unit.snapshot).all.filter { $0.grade != .bad }
      return DiagnosisReport(findings: notes, paths: []).foremostRemark?.code
    }
    #expect(remark() == "memory.killed")
    unit.sound.volume = Volume(level: VolumeLevel(step: 1, of: 100))
    #expect(remark() == "volume.low")
    unit.sound.holds = [.init(hold: .interruption(.call), left: nil)]
    #expect(remark() == "sound.interrupted")
  }

  @Test func light_thatIsOnBesideADarkOne_isTheScreens() {
    var unit = GeneratedUnit()
    unit.screen = .shows
    unit.machine.services = .units(SystemUnits(""))
    let dark = KernelReadings.Backlight(name: "panel", brightness: 0, maximum: 255)
    unit.machine.kernelReadings.backlights = [dark]
    #expect(codes(unit, "screen.") == ["screen.dark"])
    unit.machine.kernelReadings.backlights += [.init(name: "other", brightness: 9, maximum: 15)]
    #expect(codes(unit, "screen.") == [])
  }

  /// The advice to restart a unit must not name one that the helper of the image refuses.
  @Test func restartableUnits_areThoseOfTheHelper() throws {
    let helper = try ProjectFile.text("board/helpers/service.c")
    let list = try #require(helper.firstMatch(of: /restartable\[\] = \{([^}]*)\}/)).output.1
    #expect(
      list.matches(of: /"([^"]+)"/).map { String($0.output.1) } == SystemUnits.Unit.restartable)
    func remedy(_ name: String) -> String? {
      let unit = SystemUnits("Id=\(name)\nActiveState=failed\n").units[0]
      return DiagnosisReport.Finding.unit(unit, "failed", "x").remedy
    }
    #expect(remedy("stick@sda1.service")?.contains("'service restart stick@sda1'") == true)
    #expect(remedy("data.service")?.contains("'reboot'") == true)
  }

  @Test func screen_thatIsConnectedAndShowsNothing_isAFaultOnTheImage() {
    var unit = GeneratedUnit()
    #expect(codes(unit, "screen.") == ["screen.none"])
    unit.machine.kernelReadings.connectors = [.init(name: "HDMI-A-1", status: .disconnected)]
    #expect(codes(unit, "screen.") == ["screen.disconnected"])
    unit.machine.kernelReadings.connectors = [
      .init(name: "HDMI-A-1", status: .disconnected),
      .init(name: "DSI-1", status: .connected, mode: "800x480"),
    ]
    func grade() -> Grade? { UnitChecks(unit.snapshot).screen.first?.grade }
    #expect(codes(unit, "screen.") == ["screen.not-shown"] && grade() == .note)
    unit.machine.services = .units(SystemUnits(""))
    unit.run.began = MonotonicInstant(awake: .seconds(90))
    #expect(grade() == .note, "the unit starts")
    unit.run.began = MonotonicInstant(awake: .seconds(1))
    #expect(grade() == .bad)
    unit.screen = .shows
    #expect(codes(unit, "screen.") == [])
    // The display is pulled out. The screen can still be connected, or has ended.
    unit.machine.kernelReadings.connectors = [.init(name: "DSI-1", status: .disconnected)]
    for screen in [UnitSnapshot.Screen.shows, .standsStill, .lost, .ended] {
      unit.screen = screen
      #expect(codes(unit, "screen.") == ["screen.lost"])
    }
    unit.screen = .none
    #expect(codes(unit, "screen.") == ["screen.disconnected"])
    // An analog output does not report whether a display is connected.
    unit.machine.kernelReadings.connectors = [.init(name: "Composite-1", status: .unknown)]
    unit.screen = .shows
    #expect(codes(unit, "screen.") == [])
    unit.machine.kernelReadings.connectors = []
    unit.screen = .lost
    #expect(codes(unit, "screen.") == ["screen.lost"])
    unit.machine.services = .noImage
    #expect(codes(unit, "screen.") == ["screen.none"])
  }

  @Test func pageOfTheScreen_saysThatItStandsStill() {
    var unit = GeneratedUnit()
    func shows() -> Grade? { unit.facts.screen.facts.first { $0.label == "shows" }?.grade }
    unit.screen = .shows
    #expect(shows() == .good)
    unit.machine.kernelReadings.connectors = [.init(name: "DSI-1", status: .disconnected)]
    #expect(shows() == .bad)
    unit.screen = .standsStill
    #expect(shows() == .bad)
    unit.screen = .lost
    #expect(shows() == .note)
  }

  @Test func controller_thatIsThereAndDoesNotAnswer_isAFault() {
    var unit = GeneratedUnit()
    unit.run.began = MonotonicInstant(awake: .seconds(1))
    unit.lacksAdapter = true
    #expect(codes(unit, "controller.") == ["controller.none"])
    unit.machine.kernelReadings.controllers = ["hci0"]
    #expect(codes(unit, "controller.") == ["controller.silent"])
    unit.lacksAdapter = false
    #expect(codes(unit, "controller.") == [])
    // A unit that was never used with a phone can be a board without a controller.
    unit.machine.kernelReadings.controllers = []
    unit.knownPhones = 1
    #expect(codes(unit, "controller.") == ["controller.none"], "bluetoothd has one")
    unit.lacksAdapter = true
    #expect(codes(unit, "controller.") == ["controller.none"], "a desktop")
    unit.machine.services = .units(SystemUnits(""))
    #expect(codes(unit, "controller.") == ["controller.lost"])
    unit.configuration.settings.isBluetoothOn = false
    #expect(codes(unit, "controller.") == ["controller.off"])
  }

  @Test func disk_thatNobodyMounted_isAFault() {
    var unit = GeneratedUnit()
    unit.run.began = MonotonicInstant(awake: .seconds(1))
    unit.machine.services = .units(SystemUnits(""))
    var disk = KernelReadings.Disk(name: "sda", bytes: 16 << 30, partitions: ["sda1"], mounts: [])
    unit.machine.kernelReadings.disks = [disk]
    #expect(codes(unit, "stick.") == ["stick.not-mounted"])
    // The image has reported already why a stick is not mounted.
    unit.storage.notices = StorageNotice.all(in: "stick.damaged The stick is damaged.")
    #expect(
      UnitChecks(unit.snapshot).sticks.allSatisfy { $0.code != "sticks.none" },
      "the report is about a stick that is there")
    #expect(codes(unit, "stick.not") == [])
    disk.mounts = ["/media/sda1"]
    unit.storage.notices = []
    unit.machine.kernelReadings.disks = [disk]
    #expect(codes(unit, "stick.") == [])
    // A stick refuses some commands when it is plugged in, and the kernel counts them.
    disk.errors = 3
    unit.machine.kernelReadings.disks = [disk]
    #expect(codes(unit, "stick.") == [])
    disk.errors = 4
    unit.machine.kernelReadings.disks = [disk]
    #expect(codes(unit, "stick.") == ["stick.errors"])
  }

  @Test func mixer_isShownWithItsSilentElements() {
    func grades(_ elements: [UnitDaemon.Start.MixerElement]?) -> [Grade] {
      UnitFacts.mixer(elements).facts.map(\.grade)
    }
    #expect(grades(nil) == [.bad] && grades([]) == [.plain])
    let facts = UnitFacts.mixer([
      .init(name: "hw:0 Master", percent: 80, isOn: true),
      .init(name: "hw:0 PCM", percent: 0, isOn: nil),
      .init(name: "hw:0 PCM", percent: nil, isOn: false),
    ]).facts
    #expect(facts.map(\.label) == ["hw:0 Master", "hw:0 PCM", "hw:0 PCM 2"])
    #expect(facts.map(\.value) == ["80 %, on", "0 %", "off"])
    #expect(facts.map(\.grade) == [.plain, .note, .note])
  }

  @Test func clockChip_withAWrongTime_isAFault() {
    let unit = GeneratedUnit()
    unit.machine.clock = KnownTime(now: 0, keeper: .unknown)
    #expect(codes(unit, "clock.") == ["clock.unknown"])
    unit.machine.kernelReadings.chipSeconds = 4_074_000_000
    #expect(codes(unit, "clock.") == ["clock.chip-wrong"])
    let found = UnitChecks(unit.snapshot).all.first { $0.code == "clock.chip-wrong" }?.found ?? ""
    #expect(found.contains("2099"))
    unit.machine.kernelReadings.chipSeconds = .max
    #expect(codes(unit, "clock.") == ["clock.chip-wrong"])
  }

  @Test func lastEnd_isAFaultUntilTheNextBoot() {
    var unit = GeneratedUnit()
    func history(_ ends: [(reason: String, boot: String)]) {
      var history = StartHistory()
      history.begin(boot: "0")
      for end in ends {
        history.reach(.steady)
        history.begin(reasonOfLast: end.reason, boot: end.boot)
      }
      unit.run.history = history
    }
    history([("", "1")])
    #expect(codes(unit, "ends.") == [])
    history([("", "1"), ("crashed: SIGSEGV", "1"), ("did not answer", "1")])
    let finding = UnitChecks(unit.snapshot).all.first { $0.code == "ends.crashed" }
    #expect(finding?.found.contains("did not answer, 2 times") == true && finding?.grade == .bad)
    history([("crashed: SIGSEGV", "0"), ("", "1")])
    #expect(codes(unit, "ends.") == [])
  }

  @Test func powerCuts_soonAfterTheStart_areCounted() {
    var unit = GeneratedUnit()
    for boot in 0..<3 {
      unit.run.history.begin(boot: "\(boot)")
      #expect(codes(unit, "ends.") == (boot < 2 ? [] : ["ends.early-power-cuts"]))
    }
    #expect(unit.run.history.failuresInARow == 0)
  }
}

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

/// The kernel's files, as copies in a folder.
@Suite struct KernelReadingsTests {
  private static func write(_ folder: TemporaryFolder, _ path: String, _ text: String) throws {
    let path = "machine/\(path)"
    let parent = (folder.path(path) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(
      atPath: parent, withIntermediateDirectories: true)
    try folder.write(path, Array(text.utf8))
  }

  @Test func files_areRead() throws {
    let folder = try TemporaryFolder()
    func put(_ path: String, _ text: String) throws { try Self.write(folder, path, "\(text)\n") }
    try put("proc/vmstat", "nr_free_pages 7\noom_kill_x 9\noom_kill 3\nballoon 1")
    try put("proc/meminfo", "MemTotal:  500000 kB\nMemFree: 1 kB\nMemAvailable:  300000 kB")
    try put("run/crash/kernel", "Kernel panic - not syncing: x")
    try put("proc/pressure/cpu", "some avg10=71.25 avg60=1.00 avg300=0.00 total=9\nfull avg10=0.00")
    try put("sys/fs/ext4/vda4/errors_count", "2")
    try put("sys/fs/ext4/vda5/errors_count", "0")
    try put("sys/fs/ext4/sda1/errors_count", "7")
    try put("sys/fs/ext4/features/x", "1")
    try put("proc/loadavg", "1.50 0.20 0.10 1/99 1234")
    try put("proc/sys/kernel/tainted", "\(1 << 7 | 1 << 12)")
    for cpu in 0...3 { try put("sys/devices/system/cpu/cpu\(cpu)/online", "1") }
    try put("sys/devices/system/cpu/cpufreq/x", "1")
    for (disk, removable) in [("sda", "1"), ("vda", "0"), ("loop0", "1")] {
      try put("sys/block/\(disk)/removable", removable)
      try put("sys/block/\(disk)/size", "2048")
      try put("sys/block/\(disk)/\(disk)1/partition", "1")
      try put("sys/block/\(disk)/device/ioerr_cnt", "0x1f")
    }
    try put("sys/class/drm/card0-HDMI-A-1/status", "connected")
    try put("sys/class/drm/card0-HDMI-A-1/modes", "1024x600\n800x600")
    try put("sys/class/drm/card1-DSI-1/status", "disconnected")
    try put("sys/class/drm/version", "drm 1.1.0")
    for (event, bits) in [("event0", "0"), ("event1", "2")] {
      try put("sys/class/input/\(event)/device/properties", bits)
      try put("sys/class/input/\(event)/device/name", "Touch \(event)")
    }
    // A tablet has no such property, but positions and a left button. A joystick has positions only.
    for (event, keys) in [("event2", "10000 0 0 0 0"), ("event3", "0")] {
      try put("sys/class/input/\(event)/device/capabilities/abs", "3")
      try put("sys/class/input/\(event)/device/capabilities/key", keys)
      try put("sys/class/input/\(event)/device/name", "Tablet \(event)")
    }
    try put("proc/cmdline", "quiet systemd.mask=x.service")
    try put("sys/class/bluetooth/hci0/name", "x")
    try put("sys/class/bluetooth/hci0:11/name", "x")
    try put("sys/class/rtc/rtc0/since_epoch", "4074000000")
    try put("sys/bus/usb/devices/1-1/product", "Stick")
    try put("sys/bus/usb/devices/1-1:1.0/bInterfaceClass", "08")
    try put("sys/bus/usb/devices/usb1/product", "Hub")
    try put("sys/class/backlight/panel/brightness", "100")
    try put("sys/class/backlight/panel/max_brightness", "255")
    let mount = Mount(
      id: "1", point: "/media/x", isWhole: true, kind: "vfat", source: "/dev/sda1")
    let root = folder.path("machine")
    let texts = DeviceTexts.Part.allCases.map { ($0, DeviceTexts.read($0, root: root)) }
    let read = KernelReadings(
      root: root, mounts: [mount], DeviceTexts(Dictionary(uniqueKeysWithValues: texts)))
    #expect(read.silentDevices == [])
    #expect(read.memory == .init(total: 500_000, available: 300_000))
    #expect(read.killed == 3)
    #expect(read.pressure == 71.25 && read.ownErrors == ["vda4": 2])
    #expect(read.load == 1.5 && read.processors == 4 && read.faults == [.oops])
    #expect(
      read.disks == [
        .init(
          name: "sda", bytes: 1 << 20, partitions: ["sda1"], mounts: ["/media/x"], errors: 31)
      ])
    #expect(
      read.connectors == [
        .init(name: "HDMI-A-1", status: .connected, mode: "1024x600"),
        .init(name: "DSI-1", status: .disconnected),
      ])
    #expect(read.touchScreens == ["Touch event1", "Tablet event2"] && read.controllers == ["hci0"])
    #expect(read.chipSeconds == 4_074_000_000)
    #expect(read.lastCrash == "Kernel panic - not syncing: x")
    #expect(read.backlights == [.init(name: "panel", brightness: 100, maximum: 255)])
    #expect(read.usb == [.init(name: "Stick", interfaces: [.init(kind: 8, driver: nil)])])
    #expect(read.usb[0].lacksDriver(for: KernelReadings.USBDevice.storage))
    #expect(!read.usb[0].lacksDriver(for: KernelReadings.USBDevice.sound))
    #expect(read.commandLine == "quiet systemd.mask=x.service")
    // Devices that do not answer: the rest is read all the same.
    let silent = KernelReadings(root: root, mounts: [], DeviceTexts([.displays: [:]]))
    #expect(silent.silentDevices == [.usb, .clockChip] && silent.chipSeconds == nil)
    #expect(silent.usb.map(\.name) == ["1-1"] && silent.connectors.map(\.mode) == [nil, nil])
  }

  @Test func load_isThatOfEachUnitBetweenTwoReadings() throws {
    let folder = try TemporaryFolder()
    func put(_ unit: String, _ microseconds: Int, _ bytes: Int) throws {
      let path = "sys/fs/cgroup/system.slice/\(unit)"
      try Self.write(folder, "\(path)/cpu.stat", "usage_usec \(microseconds)\nuser_usec 1\n")
      try Self.write(folder, "\(path)/memory.current", "\(bytes)\n")
    }
    func load(_ second: Int) -> UnitLoad {
      UnitLoad(root: folder.path("machine"), at: MonotonicInstant(awake: .seconds(second)))
    }
    try put("a.service", 1_000_000, 4096)
    try put("b.service", 5_000_000, 8192)
    try put("c.mount", 1, 1)
    let first = load(10)
    try put("a.service", 2_000_000, 5000)
    // The counters of a unit that was started again begin again.
    try put("b.service", 1000, 100)
    try put("new.service", 7, 1)
    let units = load(12).units(since: first).sorted { $0.name < $1.name }
    #expect(
      units == [
        .init(name: "a.service", share: 0.5, memory: 5000),
        .init(name: "b.service", share: 0, memory: 100),
        .init(name: "new.service", share: 0, memory: 1),
      ])
    #expect(load(12).units(since: load(12)) == [])
  }

  @Test func missingAndDamagedFiles_areUnknown() throws {
    let folder = try TemporaryFolder()
    #expect(KernelReadings(root: folder.path("none"), mounts: []) == KernelReadings())
    for path in [
      "proc/meminfo", "proc/vmstat", "proc/loadavg", "proc/sys/kernel/tainted",
      "sys/block/sda/size",
    ] {
      try Self.write(folder, path, "\u{FFFD}\0 \n")
    }
    #expect(
      KernelReadings(root: folder.path("machine"), mounts: []) == KernelReadings())
  }
}
