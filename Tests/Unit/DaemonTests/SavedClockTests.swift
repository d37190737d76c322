import EventLoop
import Foundation
import Settings
import SystemClock
import TestKit
import Testing

@testable import Daemon

@Suite struct SavedClockTests {
  private let loop = EventLoop()
  private let folder: TemporaryFolder
  private var path: String { folder.path("clock") }

  init() throws { folder = try TemporaryFolder() }

  private var saved: String? { try? String(contentsOfFile: path, encoding: .utf8) }

  private func clock(
    interval: Duration = .seconds(3600), hasChip: Bool = false, now: Int = 1_900_000_000
  ) throws -> SavedClock {
    let clock = SavedClock(loop, path: path, interval: interval, hasChip: { hasChip }, now: { now })
    return try #require(clock)
  }

  @Test func time_isSavedAgainAndAgain() throws {
    let clock = try clock(interval: .milliseconds(1))
    try loop.turn { saved == "1900000000\n" }
    try FileManager.default.removeItem(atPath: path)
    try loop.turn { saved == "1900000000\n" }
    clock.finish(within: Int32(Hang.milliseconds))
  }

  @Test func end_waitsForTheFile() throws {
    let clock = try clock()
    clock.save()
    clock.finish(within: Int32(Hang.milliseconds))
    #expect(saved == "1900000000\n")
  }

  @Test func nothingIsSaved_ifAChipKeepsTheTime_orItIsImplausible() throws {
    for clock in [try clock(hasChip: true), try clock(now: LocalTime.earliestSeconds - 1)] {
      clock.save()
      clock.finish(within: Int32(Hang.milliseconds))
    }
    #expect(saved == nil)
    #expect(SavedClock(loop, path: nil) == nil)
  }

  /// A clock chip with an empty battery begins at an arbitrary time. systemd then sets the system clock to a later
  /// time, which is wrong too. So the chip itself must be read.
  @Test(arguments: [
    ("1", "1900000000", true), ("1", "1735689599", false), ("1", "17", false),
    ("0", "1900000000", false), ("1", nil, false),
    // systemd takes no time that is far in the future.
    ("1", "4074000000", false), ("1", "1900086401", false), ("1", "1899913601", true),
  ])
  func chipKeepsTheTime_ifTheKernelHasTakenIt_andItIsPlausible(
    _ isTaken: String, _ seconds: String?, _ expected: Bool
  ) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("rtc1"), withIntermediateDirectories: true)
    try folder.write("rtc1/hctosys", Array("\(isTaken)\n".utf8))
    if let seconds { try folder.write("rtc1/since_epoch", Array("\(seconds)\n".utf8)) }
    #expect(MachineReadings.clockChipKeepsTime(in: folder.url.path, now: 1_900_000_000) == expected)
  }
}
