import Files
import AudioCodecs
import AudioEngine
import Foundation
import HeadUnit
import Input
import LibraryModel
import MusicFiles
import NowPlaying
import Reports
import TestKit
import Testing
import UnitState

@testable import Daemon
@testable import Settings

/// The first line of `diagnose` for each fault, and the table of docs/diagnosis.md with these lines.
@Suite struct DiagnosisMatrixTests {
  struct Row: Sendable {
    let fault: String
    let code: String
    let breakUnit: @Sendable (inout GeneratedUnit) -> Void
  }

  private static func units(_ lines: String) -> ServiceReadings {
    let running = UnitPart.permanentUnits
      .filter { !lines.contains($0) }
      .map { "Id=\($0)\nLoadState=loaded\nActiveState=active\nSubState=running\n" }
    return .units(SystemUnits((running + [lines]).joined(separator: "\n")))
  }

  private static func notice(_ line: String) -> [StorageNotice] { StorageNotice.all(in: line) }

  static let rows: [Row] = [
    Row(fault: "no sound card", code: "output.absent") {
      $0.sound.cards = []
      $0.sound.history.lost(SinkError("no such device", isAbsent: true))
    },
    Row(fault: "the sound card is gone while it plays", code: "output.card-lost") {
      $0.sound.cards = []
      let device = DeviceFormat(
        sampleRate: 44100, layout: .stereo, samples: .s16, periodFrames: 480, bufferFrames: 960)
      $0.sound.history.opened(device, nil)
      $0.sound.history.lost(SinkError("no such device", isAbsent: true))
    },
    Row(fault: "the display is gone while the unit runs", code: "screen.lost") {
      $0.screen = .lost
      $0.machine.kernelReadings.connectors = [.init(name: "HDMI-A-1", status: .disconnected)]
    },
    Row(fault: "the Bluetooth controller is gone", code: "controller.lost") {
      $0.knownPhones = 2
      $0.lacksAdapter = true
    },
    Row(fault: "a card that lacks the rate of `output-rate`", code: "output.other-rate") {
      let device = DeviceFormat(
        sampleRate: 96000, layout: .stereo, samples: .s32, periodFrames: 480, bufferFrames: 960)
      $0.sound.history.opened(device, nil)
      $0.configuration.settings.outputRate = 384_000
    },
    Row(fault: "the clock chip is in the year 2099", code: "clock.chip-wrong") {
      $0.machine.clock = KnownTime(now: 1_776_038_400, keeper: .unknown)
      $0.machine.kernelReadings.chipSeconds = 4_074_000_000
    },
    Row(fault: "the only music is on a stick that cannot be read", code: "stick.damaged") {
      $0.music.count = 0
      $0.storage.notices = notice("stick.damaged The stick SDA is damaged.")
    },
    Row(fault: "read errors while a stick plays", code: "medium.read-errors") {
      for name in ["a", "a", "a", "a", "b"] {
        $0.music.errors.addReadError("/media/sda1/\(name).flac") { [] }
      }
    },
    Row(fault: "a stick at 12 KB/s", code: "medium.slow") {
      var bytes: UInt64 = 0
      let mounts = [
        Mount(
          id: "1", point: "/media/sda1", isWhole: true, kind: "vfat", source: "/dev/sda1")
      ]
      var wait = MediumWait(
        path: "/media/sda1/a.flac", mounts: mounts, at: MonotonicInstant(awake: .seconds(80)),
        read: { _ in bytes })
      bytes = 120_000
      wait.end(at: MonotonicInstant(awake: .seconds(90)), read: { _ in bytes })
      $0.sound.history.mediumWait = wait
    },
    Row(fault: "no udevd, and a stick is plugged in", code: "unit.udevd.masked") {
      $0.machine.services = units(
        "Id=systemd-udevd.service\nLoadState=masked\nActiveState=inactive\n")
      $0.machine.kernelReadings.disks = [
        .init(name: "sda", bytes: 16_000_000_000, partitions: ["sda1"], mounts: [])
      ]
    },
    Row(fault: "`/data` is full", code: "storage.full") {
      $0.machine.stateSpace = FileSystemSpace(free: 0, size: 100 << 20)
    },
    Row(fault: "the partition of `/data` is gone", code: "data.memory.no-partition") {
      $0.storage.notices = notice("data.memory.no-partition There is no partition autoharp-data.")
    },
    Row(fault: "the saved state is damaged", code: "state.lost") {
      $0.storage.losses = [(.stateDamaged, "/data/autoharp/state: it has no valid state")]
    },
    Row(fault: "the saved queue is damaged", code: "queue.lost") {
      $0.storage.losses = [(.queueUnusable, "the queue: /data/autoharp/queue: no valid state")]
    },
    Row(fault: "the favourites are damaged", code: "playlists.damaged") {
      $0.storage.losses = [
        (.playlistDamaged, "/data/autoharp/playlists/Favourites.m3u8 has parts that cannot be read")
      ]
    },
    Row(fault: "the driver's settings are damaged", code: "settings.damaged") {
      $0.storage.losses = [(.settingsDamaged, "/data/autoharp/settings.conf has wrong parts")]
    },
    Row(fault: "the file system of the unit has errors", code: "storage.errors") {
      $0.machine.kernelReadings.ownErrors = ["mmcblk0p4": 2]
    },
    Row(fault: "an entry of `/data` had a wrong owner", code: "data.aside") {
      $0.storage.notices = notice(
        "data.aside /data/bluetooth had a wrong owner or type. It was renamed to /data/bluetooth.aside."
      )
    },
    Row(fault: "`output = null`", code: "output.discards") {
      let device = DeviceFormat(
        sampleRate: 44100, layout: .stereo, samples: .s16, periodFrames: 480, bufferFrames: 960)
      $0.sound.history.configuredOutput = "null"
      $0.sound.history.opened(device, nil)
    },
    Row(fault: "`display-modules` is masked", code: "unit.display-modules.masked") {
      $0.machine.services = units(
        "Id=display-modules.service\nLoadState=masked\nActiveState=inactive\n")
    },
    Row(fault: "bluetoothd is stopped by a signal", code: "unit.bluetooth.halted") {
      $0.machine.services = units(
        "Id=bluetooth.service\nLoadState=loaded\nActiveState=active\nSubState=running\nProcessState=T\n"
      )
    },
    Row(fault: "no graphics card, no touch screen", code: "screen.absent") {
      $0.screen = .none
      $0.machine.kernelReadings.connectors = []
    },
    Row(fault: "a Bluetooth chip that does not answer", code: "controller.silent") {
      $0.lacksAdapter = true
      $0.machine.kernelReadings.controllers = ["hci0"]
    },
    Row(fault: "bluetoothd crashes", code: "unit.bluetooth.failed") {
      $0.machine.services = units(
        "Id=bluetooth.service\nLoadState=loaded\nActiveState=failed\nSubState=failed\n"
          + "Result=signal\nExecMainStatus=11\nStateChangeTimestampMonotonic=40000000\n")
    },
    Row(fault: "dbus is masked since the start", code: "unit.dbus.masked") {
      $0.machine.services = units(
        "Id=dbus.service\nLoadState=masked\nActiveState=inactive\n"
          + "StateChangeTimestampMonotonic=80000000\n")
    },
    Row(fault: "`/data` has no room for further files", code: "storage.files") {
      $0.machine.stateSpace = FileSystemSpace(free: 50 << 20, size: 100 << 20, freeFiles: 3)
    },
    Row(fault: "the unit may not read its own folder", code: "storage.unreadable") {
      $0.machine.isStateReadable = false
      $0.run.history.begin(boot: "1")
    },
    Row(fault: "programs use the whole processor", code: "memory.load") {
      $0.machine.kernelReadings.memory = .init(total: 480 << 10, available: 340 << 10)
      $0.machine.kernelReadings.load = 4.7
    },
    Row(fault: "the kernel ended programs for lack of memory", code: "memory.killed") {
      $0.machine.kernelReadings.killed = 2
    },
    Row(fault: "the backlight is at 0", code: "screen.dark") {
      $0.screen = .shows
      $0.machine.kernelReadings.backlights = [.init(name: "panel", brightness: 0, maximum: 255)]
    },
    Row(fault: "the program that mounts sticks cannot run", code: "unit.stick.failed") {
      $0.machine.services = units(
        "Id=stick@sda1.service\nLoadState=loaded\nActiveState=failed\nSubState=failed\nResult=exit-code\n"
          + "ExecMainStatus=203\n")
      $0.machine.kernelReadings.disks = [
        .init(name: "sda", bytes: 8_000_000_000, partitions: ["sda1"], mounts: [])
      ]
    },
    Row(fault: "a stick that no driver uses", code: "stick.no-driver") {
      $0.machine.kernelReadings.usb = [
        .init(name: "SanDisk Ultra", interfaces: [.init(kind: 8, driver: nil)])
      ]
    },
    Row(fault: "the touch screen was there and is gone", code: "touch.lost") {
      $0.lostPointers = ["Goodix Touch"]
    },
    Row(fault: "several songs are damaged", code: "music.damaged") {
      for name in ["a", "b", "c"] { $0.music.errors.addDamage("/media/sda1/\(name).flac") { [] } }
    },
    Row(fault: "the library cannot use its folder", code: "library.in-memory") {
      var report = LibraryReport()
      report.isInMemory = true
      var library = LibraryHealth()
      library.isAvailable = true
      library.apply(report) { $0 }
      $0.library = library
    },
    Row(fault: "the keys were there and are gone", code: "keys.lost") {
      $0.lostKeys = ["Wheel"]
    },
    Row(fault: "the unit may not read the music folder", code: "folders.unreadable") {
      $0.machine.folders[0].state = .unreadable
      $0.music.count = 0
    },
    Row(fault: "bluetoothd is masked", code: "unit.bluetooth.masked") {
      $0.machine.kernelReadings.commandLine = "quiet systemd.mask=bluetooth.service"
      $0.machine.services = units("Id=bluetooth.service\nLoadState=masked\nActiveState=inactive\n")
    },
    Row(fault: "no display, no touch screen", code: "screen.disconnected") {
      $0.screen = .none
      $0.machine.kernelReadings.connectors = [.init(name: "HDMI-A-1", status: .disconnected)]
    },
    Row(fault: "the screen program does not run", code: "unit.screen.failed") {
      $0.screen = .none
      $0.machine.kernelReadings.connectors = [
        .init(name: "DSI-1", status: .connected, mode: "800x480")
      ]
      $0.machine.services = units(
        "Id=autoharp-screen.service\nLoadState=loaded\nActiveState=activating\n"
          + "SubState=auto-restart\nResult=exit-code\nExecMainStatus=203\nNRestarts=7\n")
    },
    Row(fault: "a key is stuck", code: "keys.stuck") {
      $0.stuckKeys = [
        .init(code: .key(163), device: "Wheel", since: MonotonicInstant(awake: .seconds(10)))
      ]
    },
    Row(fault: "192 MiB of memory, and a driver fails", code: "memory.small") {
      $0.machine.kernelReadings.memory = .init(total: 192 << 10, available: 40 << 10)
      $0.machine.services = units(
        "Id=late-modules.service\nLoadState=loaded\nActiveState=failed\nSubState=failed\n"
          + "Result=exit-code\nExecMainStatus=1\n")
    },
    Row(fault: "the daemon crashed and runs again", code: "ends.crashed") {
      $0.run.history.begin(boot: "1")
      $0.run.history.reach(.steady)
      $0.run.history.begin(
        reasonOfLast: ProcessEnd(result: "signal", status: "SEGV").text, boot: "1")
    },
    Row(fault: "the kernel crashed", code: "kernel.crashed") {
      $0.machine.kernelReadings.lastCrash = "Kernel panic - not syncing: Fatal exception"
    },
    Row(fault: "the boot partition is damaged", code: "boot.unreadable") {
      $0.storage.notices = notice("boot.unreadable The owner's settings cannot be read.")
    },
    Row(fault: "a stick with read errors when it is plugged in", code: "stick.unreadable.error") {
      $0.music.count = 0
      $0.storage.notices = notice("stick.unreadable.error The stick SDA cannot be read.")
    },
    Row(fault: "the watchdog ended the daemon", code: "ends.crashed") {
      $0.run.history.begin(boot: "1")
      $0.run.history.reach(.steady)
      $0.run.history.begin(
        reasonOfLast: ProcessEnd(result: "watchdog", status: "ABRT").text, boot: "1")
    },
    Row(fault: "a call interrupts", code: "sound.interrupted") {
      $0.sound.holds = [.init(hold: .interruption(.call), left: .seconds(1740))]
    },
    Row(fault: "another program lowers the music", code: "sound.lowered") {
      $0.sound.holds = [.init(hold: .duck("navigation"), left: nil)]
    },
    Row(fault: "one song is repeated", code: "sound.repeats-one") { $0.repeatsOne = true },
    Row(fault: "the volume is 1 %", code: "volume.low") {
      $0.sound.volume = Volume(level: VolumeLevel(step: 1, of: 100))
    },
    Row(fault: "the library cannot run", code: "unit.library.failed") {
      $0.library = LibraryHealth()
      $0.machine.services = units(
        "Id=autoharp-library.service\nLoadState=loaded\nActiveState=failed\nSubState=failed\n"
          + "Result=exit-code\nExecMainStatus=203\n")
    },
    Row(fault: "no music", code: "music.none") { $0.music.count = 0 },
    Row(fault: "the service manager does not answer", code: "units.silent") {
      $0.machine.services = .silent
    },
    Row(fault: "none", code: "") { _ in },
  ]

  private static func report(_ row: Row) -> DiagnosisReport {
    var unit = GeneratedUnit()
    // The unit runs for 99 s, on the image, and has a card and a screen.
    unit.run.began = MonotonicInstant(awake: .seconds(1))
    unit.machine.services = units("")
    unit.sound.cards = [.init(kind: "usb", pcm: "hw:CARD=Device,DEV=0")]
    unit.screen = .shows
    unit.machine.kernelReadings.connectors = [.init(name: "HDMI-A-1", status: .connected)]
    row.breakUnit(&unit)
    return DiagnosisReport(checks: [], paths: [], others: UnitChecks(unit.snapshot).all)
  }

  /// The faults of the unit are found with no other fault beside them.
  @Test(arguments: rows.indices) func firstLine_isAboutTheFault(_ index: Int) {
    let row = Self.rows[index]
    let report = Self.report(row)
    #expect((report.faults.first ?? report.foremostRemark)?.code ?? "" == row.code)
    #expect(report.problemCount <= 1, "\(report.faults.map(\.code))")
  }

  /// `make renew-goldens` writes the rows.
  @Test func table_hasTheFirstLineOfEachFault() throws {
    let text = try ProjectFile.text("docs/diagnosis.md")
    let head = "| fault | code | first line |\n|---|---|---|\n"
    let start = try #require(text.range(of: head)?.upperBound)
    let rest = text[start...].split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0.hasPrefix("| ") }.joined(separator: "\n")
    let rows = Self.rows.map { row in
      let line = Self.report(row).firstLine.replacingOccurrences(of: "|", with: "\\|")
      return "| \(row.fault) | \(row.code.isEmpty ? "" : "`\(row.code)`") | \(line) |\n"
    }
    try Golden.check(text[..<start] + rows.joined() + rest, ProjectFile.url("docs/diagnosis.md"))
  }
}
