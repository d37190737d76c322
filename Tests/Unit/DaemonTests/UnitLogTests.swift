import NowPlaying
import Reports
import Testing

@testable import Daemon

@Suite struct UnitLogTests {
  private final class Written {
    var lines: [String] = []
  }

  private let now = MonotonicInstant(awake: .seconds(1))

  @Test func lines_haveTheirLevel_andOnlyWhatIsWorthIt() {
    let written = Written()
    let log = UnitLog(level: .warning) { written.lines.append($0) }
    log(.error, "bad", at: now)
    log(.warning, "odd", at: now)
    log(.info, "fine", at: now)
    #expect(written.lines == ["<3>bad\n", "<4>odd\n"])
    #expect(log.lines.map(\.text) == ["bad", "odd"])
  }

  @Test func aLine_isOneLine_andHarmless() {
    let log = UnitLog { _ in }
    log(.info, "a\u{1B}[2Jb\nc\u{202E}d", at: now)
    #expect(log.lines.map(\.text) == ["a\u{FFFD}[2Jb c\u{FFFD}d"])
    log(.info, String(repeating: "ä", count: 100_000), at: now)
    #expect((log.lines.last?.text.utf8.count ?? 0) <= UnitLog.maximumBytes + 3)
  }

  @Test func whatComesAgainAndAgain_isToldOnceInAWhile_withHowOften() {
    let log = UnitLog { _ in }
    let later = { (seconds: Int) in MonotonicInstant(awake: .seconds(1 + seconds)) }
    for second in 0..<10 { log.repeated(.warning, .ranDry, "dry", at: later(second)) }
    log.repeated(.warning, .clientDropped, "dropped", at: later(9))
    #expect(log.lines.map(\.text) == ["dry", "dropped"])
    log.repeated(.warning, .ranDry, "dry", at: later(10))
    #expect(log.lines.last?.text == "dry (and 9 times more before)")
    log.repeated(.warning, .ranDry, "dry", at: later(20))
    #expect(log.lines.last?.text == "dry")
  }

  @Test func memory_isBounded() {
    let log = UnitLog { _ in }
    for number in 0..<2000 { log(.info, "\(number)", at: now) }
    #expect(log.lines.count == UnitLog.capacity)
    #expect(log.lines.last?.text == "1999")
  }
}
