import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing
import UnitState

@testable import Daemon

/// The notices for the people in the car. The reports of the image are files of the test.
@Suite struct UnitNoticesTests {
  private static let unsupported = "identity apfs - 1024\nabout APFS\nstick.unsupported It is.\n"

  private func kinds(_ notices: UnitNotices) -> [UnitNotice.Kind] { notices.take().map(\.kind) }

  /// Creates the notices of a second run that uses the same ``UnitMemory``.
  private func other(_ bench: PartsBench) -> UnitNotices {
    let context = bench.context
    return UnitNotices(
      context.loop, isSafeMode: false,
      StorageMonitor(
        folder: context.folder.path("reports"),
        sticks: StickReports(folder: context.folder.path("sticks"))), bench.parts.music,
      bench.parts.settings, bench.bluetooth, bench.memory, context.outbox, context.turns,
      log: context.log)
  }

  @Test func reportAboutTheStorage_isLogged_andStands() throws {
    let bench = try PartsBench()
    try bench.notices.start()
    #expect(bench.notices.standing == nil)
    try bench.context.report("reports/notice", "data.checking It is checked.\n")
    try bench.context.loop.turn { bench.context.turnCount > 0 }
    #expect(bench.context.log.lines.map { $0.text.hasPrefix("data.checking: ") } == [true])
    #expect(bench.notices.standing == UnitNotice(.storageChecking))
    #expect(bench.context.takeNotices() == [UnitNotice(.storageChecking)])
  }

  /// The driver can already have removed the older notice by a touch.
  @Test func reportAboutAStick_doesNotShowTheOlderNoticeAgain() throws {
    let bench = try PartsBench { _, context in
      try? context.report("reports/notice", "data.repaired It is.\n")
    }
    try bench.notices.start()
    #expect(bench.notices.standing == UnitNotice(.storageRepaired))
    try bench.context.report("sticks/sda1", Self.unsupported)
    try bench.context.loop.turn { bench.context.turnCount > 0 }
    #expect(bench.context.takeNotices().isEmpty)
    #expect(bench.notices.take() == [UnitNotice(.mediumUnsupported, about: "APFS")])
    #expect(bench.notices.take().isEmpty)
  }

  @Test func stickThatStaysPluggedIn_isShownByOneRun_butASilentOneByEach() throws {
    let bench = try PartsBench { _, context in
      try? context.report("sticks/sda1", Self.unsupported)
      try? context.report("sticks/sdb1", "stick.silent It does not answer.\n")
    }
    #expect(kinds(bench.notices) == [.mediumUnsupported, .mediumSilent])
    #expect(kinds(other(bench)) == [.mediumSilent])
    // A different stick with the same file system has a different size, so it is reported.
    try bench.context.report(
      "sticks/sda1", Self.unsupported.replacingOccurrences(of: "1024", with: "2048"))
    #expect(kinds(other(bench)) == [.mediumUnsupported, .mediumSilent])
  }

  @Test func wrongLineOfTheConfiguration_isShownByOneRun() throws {
    let bench = try PartsBench(["language = de", "colour = red", "shape = round"])
    #expect(bench.notices.take() == [UnitNotice(.configurationWrong, about: "unit.conf:2")])
    #expect(bench.notices.take().isEmpty && other(bench).take().isEmpty)
  }

  @Test func safeMode_standsBeforeAllReports() throws {
    let bench = try PartsBench(plan: .safeMode(failures: 3)) { _, context in
      try? context.report("reports/notice", "data.repaired It is.\n")
    }
    #expect(bench.notices.standing == UnitNotice(.safeMode))
    #expect(other(bench).standing == UnitNotice(.storageRepaired))
  }

  @Test func waitForAPhone_isAmongTheNotices() throws {
    let phone = UnitState.PhoneSource(
      address: "AA:BB:CC:DD:EE:01", name: "Ann's", wasPlaying: true)
    let bench = try PartsBench(["bluetooth = yes"], plan: .phone(phone))
    #expect(bench.notices.take() == [UnitNotice(.phoneAwaited, about: "Ann's")])
    #expect(bench.notices.take().isEmpty)
  }
}
