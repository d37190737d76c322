import Foundation
import Reports
import TestKit
import Testing
import UnitState

/// The real daemon follows a stick to another mount point, with real mounts.
@Suite(
  .serialized, .enabled(if: geteuid() == 0, "needs the right to mount"))
struct StickIdentityTests {
  private let home: ServeProcess.Home
  private let sticks: MemorySticks

  init() throws {
    home = try ServeProcess.Home()
    sticks = try MemorySticks(home)
  }

  @Test func savedPosition_isFoundOnTheSameStickUnderAnotherName() throws {
    try sticks.plug("sda1", identity: "vfat AAAA-0001 1000", seconds: 60)
    let saved = SavedUnitState(home)
    let daemon = try sticks.start()
    #expect(daemon.waits(for: .musicFound, "1 files") != nil)
    _ = try ConsoleProcess(home.socket, ["seek", "20"])
    _ = try ConsoleProcess(home.socket, ["play"])
    #expect(try saved.waits { $0.file?.stick?.identity == "vfat AAAA-0001 1000" && $0.wasPlaying })
    #expect(daemon.end() == 0)
    try sticks.unplug("sda1")
    // Another stick is mounted at the path of the first stick. Then the first stick is mounted at another path.
    try sticks.plug("sda1", identity: "vfat BBBB-0002 1000", seconds: 60)
    let second = try sticks.start()
    #expect(second.waits(for: .musicFound, "1 files") != nil)
    #expect(!second.logged(.musicResumed))
    try sticks.plug("sdb1", identity: "vfat AAAA-0001 1000", seconds: 60)
    #expect(second.waits(for: .musicResumed, sticks.point("sdb1")) != nil)
    #expect(second.end() == 0)
    try sticks.unplug("sda1")
    try sticks.unplug("sdb1")
  }
}
