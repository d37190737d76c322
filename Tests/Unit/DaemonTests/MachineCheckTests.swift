import HeadUnit
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing
import UnitState

@testable import Daemon
@testable import Settings

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
