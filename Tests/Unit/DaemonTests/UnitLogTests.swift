import NowPlaying
import Reports
import Testing

@testable import Daemon

@Suite struct UnitLogTests {
  private final class Written {
    var lines: [String] = []
  }

  private let now = MonotonicInstant(awake: .seconds(1))

  @Test func lines_haveTheirSeverity_andLessSevereOnesAreDropped() {
    let written = Written()
    let log = UnitLog(level: .warning) { written.lines.append($0) }
    log(.keysFailed, "bad", at: now)
    log(.trackDamaged, "odd", at: now)
    log(.musicFound, "fine", at: now)
    #expect(written.lines == ["<3>keys.failed: bad\n", "<4>track.damaged: odd\n"])
    #expect(log.lines.map(\.text) == ["keys.failed: bad", "track.damaged: odd"])
  }

  @Test func noticeOfTheStorage_hasItsOwnIdentifier() throws {
    let log = UnitLog { _ in }
    log(try #require(StorageNotice(line: "data.checked It was checked.")), at: now)
    #expect(log.lines.map(\.text) == ["data.checked: It was checked."])
    #expect(log.lines.map(\.severity) == [.warning])
  }

  @Test func line_hostileText_isOneSafeLine() {
    let log = UnitLog { _ in }
    log(.trackMetadata, "a\u{1B}[2Jb\nc\u{202E}d", at: now)
    #expect(log.lines.map(\.text) == ["track.metadata: a\u{FFFD}[2Jb c\u{FFFD}d"])
    log(.trackMetadata, String(repeating: "ä", count: 100_000), at: now)
    #expect((log.lines.last?.text.utf8.count ?? 0) <= UnitLog.maximumBytes + 3)
  }

  @Test func limited_reasons_areLimitedSeparately_withTheirInterval() {
    let log = UnitLog { _ in }
    let minute = UnitLog.clientInterval
    for second in 0..<60 {
      for reason in ["slow", "large"] {
        log.limited(
          .clientDropped, reason, reason: reason, interval: minute,
          at: now.advanced(by: .seconds(second)))
      }
    }
    #expect(log.lines.count == 2)
    log.limited(
      .clientDropped, "slow", reason: "slow", interval: minute,
      at: now.advanced(by: minute))
    #expect(log.lines.count == 3 && log.lines.last?.text.contains("59") == true)
  }

  @Test func limited_repeatedEvent_isLoggedOncePerInterval_withItsCount() {
    let log = UnitLog { _ in }
    let later = { (seconds: Int) in MonotonicInstant(awake: .seconds(1 + seconds)) }
    for second in 0..<10 { log.limited(.outputUnderrun, "late", at: later(second)) }
    log.limited(.clientDropped, "x", at: later(9))
    #expect(log.lines.map(\.text) == ["output.underrun: late", "control.client-dropped: x"])
    log.limited(.outputUnderrun, "late", at: later(10))
    #expect(log.lines.last?.text == "output.underrun: late (and 9 times before)")
    log.limited(.outputUnderrun, "late", at: later(20))
    #expect(log.lines.last?.text == "output.underrun: late")
  }

  @Test func lines_areBounded() {
    let log = UnitLog { _ in }
    for number in 0..<2000 { log(.trackMetadata, "\(number)", at: now) }
    #expect(log.lines.count == UnitLog.capacity)
    #expect(log.lines.last?.text == "track.metadata: 1999")
  }
}
