import Files
import Foundation
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

@testable import Daemon

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
