import Files
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon

/// A medium does not answer: a real file system blocks each access.
@Suite(
  .enabled(if: SilentFileSystem.obstacle == nil, "needs the right to mount"))
struct SilentMediumTests {
  @Test func storageReader_leavesOutASilentPath_andReadsTheOthers() throws {
    let folder = try TemporaryFolder()
    let stick = folder.path("stick")
    try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
    let medium = try SilentFileSystem(at: stick)
    let loop = EventLoop()
    let reader = StorageReader(loop)
    try reader.start()
    let paths = [folder.url.path, stick, folder.path("missing")]
    func read() throws -> StorageReader.Readings {
      var result: StorageReader.Readings?
      reader.read(paths) { result = $0 }
      try loop.turn(until: { result != nil })
      return result ?? [:]
    }
    for _ in 0..<2 {
      let readings = try read()
      #expect(Set(readings.keys) == [paths[0], paths[2]])
      #expect(readings[paths[0]]?.isPresent == true && readings[paths[2]]?.isPresent == false)
      #expect((readings[paths[0]]?.space?.size ?? 0) > 0)
    }
    // The path is now known to be silent. So a request for only this path is answered at once, without a reading.
    var isAnswered = false
    reader.read([stick]) { readings in isAnswered = readings.isEmpty }
    #expect(isAnswered)
    medium.end()
    // The blocked access ends. From then on the path is read again.
    while try read()[stick] == nil {}
  }

  /// A bus that hangs, with a clock chip on it.
  @Test func deviceThatDoesNotAnswer_isLeftOut() throws {
    let folder = try TemporaryFolder()
    for path in ["sys/class/rtc", "sys/bus/usb/devices/1-1"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(path), withIntermediateDirectories: true)
    }
    try folder.write("sys/bus/usb/devices/1-1/product", Array("Stick\n".utf8))
    let device = try SilentFileSystem(at: folder.path("sys/class/rtc"))
    let loop = EventLoop()
    let reader = DeviceTextReader(loop, root: folder.url.path)
    var texts: DeviceTexts?
    reader.read { texts = $0 }
    try loop.turn { texts != nil }
    #expect(texts?.silent == [.clockChip] && texts?[.usb, "1-1"] == "Stick")
    // The mounts and the rest of the kernel's readings do not wait for the device.
    #expect(KernelReadings(root: folder.url.path, mounts: [], texts).usb.map(\.name) == ["Stick"])
    device.end()
    try loop.turn {
      reader.read { texts = $0 }
      return texts?.silent == []
    }
  }

  /// The search leaves the silent medium out after 20 s. During these 20 s, commands are answered.
  @Test func search_leavesOutASilentVolume_andFindsTheOtherMusic() throws {
    let home = try ServeProcess.Home()
    try home.music("a", seconds: 1)
    let stick = home.folder.path("music/stick")
    try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
    try home.music("stick/b", seconds: 1)
    let medium = try SilentFileSystem(at: stick)
    let daemon = try ServeProcess(home)
    // The status 3 means that the daemon does not answer.
    while try ConsoleProcess(home.socket, ["now"]).status == 3 {}
    for command in ["storage", "diagnose", "status", "now", "next"] {
      let answer = try ConsoleProcess(home.socket, [command])
      #expect(answer.status < 2, "\(answer)")
    }
    let storage = try ConsoleProcess(home.socket, ["storage"])
    #expect(storage.output.contains("fuse, does not answer"), "\(storage)")
    #expect(!daemon.logged(.musicSilent))
    #expect(daemon.waits(for: .musicSilent, stick) != nil)
    #expect(daemon.waits(for: .musicFound, "1 files") != nil)
    // When the medium is gone, the daemon reads the folder that the mount has hidden.
    medium.end()
    #expect(daemon.waits(for: .musicFound, "2 files") != nil)
    #expect(daemon.end() == 0)
  }

  @Test(arguments: [["play"], ["toggle"], ["play", "pause"], ["toggle", "toggle"]])
  func commandsBeforeTheMusicIsFound_areCarriedOutThen(commands: [String]) throws {
    let home = try ServeProcess.Home()
    let stick = home.folder.path("music/stick")
    try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
    try home.music("stick/b", seconds: 60)
    let medium = try SilentFileSystem(at: stick)
    let daemon = try ServeProcess(home)
    while try ConsoleProcess(home.socket, ["now"]).status == 3 {}
    for command in commands {
      let answer = try ConsoleProcess(home.socket, [command])
      #expect(answer.status == 0, "\(answer)")
    }
    let refused = try ConsoleProcess(home.socket, ["next"])
    #expect(refused.status == 1, "\(refused)")
    medium.end()
    #expect(daemon.waits(for: .musicFound, "1 files") != nil)
    if commands.count == 1 {
      #expect(daemon.waits(for: .trackStarted, "b.flac") != nil)
    } else {
      let now = try ConsoleProcess(home.socket, ["now"]).output
      #expect(now.contains("stopped") && !daemon.logged(.trackStarted), "\(now)")
    }
    #expect(daemon.end() == 0)
  }

  /// The picture of a button is on a medium that stops answering. The daemon reads the configuration again, and answers
  /// commands meanwhile.
  @Test func reload_thatWaitsForAMedium_doesNotDelayCommands() throws {
    let home = try ServeProcess.Home()
    let pictures = home.folder.path("pictures")
    try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: true)
    let daemon = try ServeProcess(home)
    while try ConsoleProcess(home.socket, ["now"]).status == 3 {}
    let medium = try SilentFileSystem(at: pictures)
    try home.configure(["button = bell: chime", "button-picture = bell: \(pictures)/bell.png"])
    daemon.send(SIGHUP)
    daemon.send(SIGHUP)
    for command in [["status"], ["now"], ["volume", "30"]] {
      #expect(try ConsoleProcess(home.socket, command).status < 2, "\(command)")
    }
    #expect(!daemon.logged(.configurationRead))
    medium.end()
    #expect(daemon.waits(for: .pictureUnusable, "bell.png") != nil)
    #expect(daemon.waits(for: .configurationRead) != nil)
    #expect(daemon.end() == 0)
  }

  /// The kernel's list of mounts contains `\\040` for a space and `\\134` for a backslash.
  @Test func mountPoint_withSpecialCharacters_isRecognized() throws {
    let folder = try TemporaryFolder()
    let stick = folder.path("my \\ stick")
    try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
    let medium = try SilentFileSystem(at: stick)
    let resolved = folder.url.resolvingSymlinksInPath().path + "/my \\ stick"
    #expect(MachineReadings.mounts { $0 == resolved }.map(\.kind) == ["fuse"])
    medium.end()
  }

  @Test func stoppedDaemon_doesNotWaitForASilentMedium() throws {
    let home = try ServeProcess.Home()
    let stick = home.folder.path("music/stick")
    try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
    let medium = try SilentFileSystem(at: stick)
    let daemon = try ServeProcess(home)
    while try ConsoleProcess(home.socket, ["now"]).status == 3 {}
    #expect(daemon.end() == 0)
    medium.end()
  }
}
