import Files
import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon

/// `diagnose` about sticks that fail. Daemon and mounts are real.
@Suite(.serialized, .enabled(if: FailingFileSystem.obstacle == nil, "needs the right to mount"))
struct DiagnoseStickTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()

  init() throws {
    home = try ServeProcess.Home(["start = play"])
    try FileManager.default.createDirectory(
      atPath: home.folder.path("sticks"), withIntermediateDirectories: true)
  }

  private func plug(_ files: [(name: String, bytes: [UInt8])]) throws -> FailingFileSystem {
    try home.folder.write("sticks/sda1", Array("identity vfat AAAA-0001 1000\n".utf8))
    return try FailingFileSystem(at: home.folder.path("music/sda1"), files)
  }

  private func start() throws -> ServeProcess {
    try ServeProcess(home, environment: ["AUTOHARP_STICKS": home.folder.path("sticks")])
  }

  /// Asks until `isFound` is true for the findings.
  private func findings(
    until isFound: ([DiagnosisReport.Finding]) -> Bool
  ) throws -> [DiagnosisReport.Finding] {
    let client = try client()
    var findings: [DiagnosisReport.Finding] = []
    try loop.turn {
      findings =
        (try? answer { client.call(Unit1.diagnose, .everything, $0) }.get())?.findings ?? []
      return isFound(findings)
    }
    return findings
  }

  @Test func stick_withReadErrorsWhileItPlays_isNamedWithTheFile() throws {
    let folder = home.folder
    let songs = try (1...2).map { number in
      try GeneratedMusic(channels: 1, rate: 8000, frames: 8000 * 400, seed: UInt64(number))
        .flac(folder, "\(number).flac", ["--tag=TITLE=Song \(number)"])
      return ("\(number).flac", try folder.read("\(number).flac"))
    }
    let stick = try plug(songs)
    let daemon = try start()
    #expect(daemon.waits(for: .trackStarted, "1.flac") != nil)
    stick.fail()
    #expect(daemon.waits(for: .trackFailed, ".flac") != nil)
    let found = try findings { $0.contains { $0.code == "medium.read-errors" } }
    let finding = try #require(found.first { $0.code == "medium.read-errors" })
    #expect(finding.grade == .bad && finding.found.contains("sda1/"))
    #expect(daemon.end() == 0)
    stick.unmount()
  }

  @Test func stick_thatWasPulledOut_hasNoFilesThatCannotBePlayed() throws {
    let header: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x01, 0x3F, 0xFC]
    let stick = try plug(
      (1...3).map { ("\($0).aac", header + [UInt8](repeating: 0, count: 4096)) })
    let daemon = try start()
    #expect(daemon.waits(for: .musicFound) != nil)
    _ = try findings { $0.contains { $0.code == "music.none-playable" } }
    stick.unmount()
    try FileManager.default.removeItem(atPath: home.folder.path("sticks/sda1"))
    let found = try findings { $0.contains { $0.code == "music.none" } }
    #expect(!found.contains { $0.code == "music.none-playable" })
    #expect(daemon.end() == 0)
  }
}

/// The time in which the sound waits for a medium.
@Suite struct MediumWaitTests {
  private let mounts = [("/", "/dev/vda2"), ("/media/a", "/dev/sda1"), ("/run", "tmpfs")].map {
    Mount(id: "1", point: $0.0, isWhole: true, kind: "vfat", source: $0.1)
  }

  private func at(_ milliseconds: Int) -> MonotonicInstant {
    MonotonicInstant(awake: .milliseconds(milliseconds))
  }

  @Test func rate_isThatOfTheDevice_whileTheMusicWaits() {
    var bytes: UInt64 = 5000
    let read = { (name: String) in name == "sda1" ? bytes : nil }
    var wait = MediumWait(path: "/media/a/x.flac", mounts: mounts, at: at(1000), read: read)
    #expect(wait.device == "sda1")
    bytes += 30_000
    #expect(wait.bytesPerSecond(at: at(2999), read: read) == nil, "the time is too short")
    #expect(wait.bytesPerSecond(at: at(3500), read: read) == 12_000)
    wait.end(at: at(4000), read: read)
    bytes += 1_000_000
    #expect(wait.bytesPerSecond(at: at(90_000), read: read) == 10_000)
    bytes = 0
    let other = MediumWait(path: "/run/x.flac", mounts: mounts, at: at(0), read: read)
    #expect(other.device == nil && other.bytesPerSecond(at: at(9000), read: read) == nil)
    bytes = 10
    let reset = MediumWait(path: "/media/a/y", mounts: mounts, at: at(0), read: read)
    bytes = 0
    #expect(reset.bytesPerSecond(at: at(9000), read: read) == nil, "another device has the name")
    bytes = 0
    let huge = MediumWait(path: "/media/a/y", mounts: mounts, at: at(0), read: read)
    bytes = .max
    #expect(huge.bytesPerSecond(at: at(9000), read: read) == nil)
  }

  @Test func slowMedium_isAFaultForTenMinutes() {
    var unit = GeneratedUnit()
    var bytes: UInt64 = 0
    let read = { (_: String) in bytes }
    func finding(_ wait: MediumWait) -> DiagnosisReport.Finding? {
      unit.sound.history.mediumWait = wait
      return UnitChecks(unit.snapshot).medium.first
    }
    var wait = MediumWait(path: "/media/a/x", mounts: mounts, at: at(90_000), read: read)
    bytes = 120_000
    wait.end(at: at(100_000), read: read)
    #expect(finding(wait)?.code == "medium.slow" && finding(wait)?.grade == .bad)
    #expect(finding(wait)?.found.contains("sda1 read 12 KB/s") == true)
    bytes = 0
    wait = MediumWait(path: "/media/a/x", mounts: mounts, at: at(90_000), read: read)
    bytes = 30_000_000
    wait.end(at: at(95_000), read: read)
    #expect(finding(wait)?.grade == .note)
    wait = MediumWait(path: "/media/a/x", mounts: mounts, at: at(-600_000), read: read)
    wait.end(at: at(-501_000), read: read)
    #expect(finding(wait) == nil)
  }
}
