import Foundation
import Testing

@testable import SystemClock

@Suite(.serialized) struct ClockZoneTests {
  @Test func names_areUniqueAndInOrder() {
    let names = ClockZone.all.map(\.name)
    #expect(names == names.sorted() && Set(names).count == names.count)
  }

  /// Each rule equals the rule in the time zone database of this machine.
  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin"),
      "needs the database of time zones"))
  func rules_equalTheDatabase() throws {
    for zone in ClockZone.all {
      let place = "/usr/share/zoneinfo/\(zone.name)"
      guard let bytes = FileManager.default.contents(atPath: place) else {
        Issue.record("\(zone.name) is unknown")
        continue
      }
      // In each file of the database, the last line is the rule for the future (RFC 9636).
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      #expect(lines.last.map(String.init) == zone.posixRule, "\(zone.name)")
    }
  }

  /// Compares the local time with the output of `date` for the same rule: around each change of season in three years,
  /// and at each full hour of a day. `date` runs as a separate process, because `TZ` applies to a whole process.
  @Test func localTime_equalsTheSystem() throws {
    // 2026-01-01 00:00 UTC.
    let begin = 1_767_225_600
    for zone in ClockZone.all {
      let hours = (0..<24 * 366 * 3).map { begin + $0 * 3600 }
      let changes = zip(hours, hours.dropFirst()).filter {
        zone.rule.season(at: $0) != zone.rule.season(at: $1)
      }
      #expect(changes.count == (zone.rule.daylight == nil ? 0 : 6), "\(zone.name)")
      let moments =
        hours.prefix(24) + changes.flatMap { [$1 - 1, $1, $1 + 1] } + [begin + 86_400 * 730 - 1]
      let expected = try datesOfTheSystem(moments, rule: zone.posixRule)
      let found = moments.map { moment in
        let time = zone.localTime(at: moment)
        return
          "\(time.year)-\(time.month)-\(time.day) \(time.hour):\(time.minute):\(time.second) \(time.zone)"
      }
      #expect(found == expected, "\(zone.name)")
    }
  }

  @Test func localTime_isRightInSummerAndWinter() throws {
    // Noon in UTC, on 2026-07-01 and 2026-01-01.
    let (july, january) = (1_782_907_200, 1_767_268_800)
    for (name, summer, winter) in [
      ("Europe/Berlin", "14:0 CEST", "13:0 CET"), ("Australia/Sydney", "22:0 AEST", "23:0 AEDT"),
      ("Europe/Dublin", "13:0 IST", "12:0 GMT"), ("Asia/Kathmandu", "17:45 +0545", "17:45 +0545"),
    ] {
      let zone = try #require(ClockZone.all.first { $0.name == name })
      let texts = [july, january].map { moment in
        let time = zone.localTime(at: moment)
        return "\(time.hour):\(time.minute) \(time.zone)"
      }
      #expect(texts == [summer, winter], "\(name)")
    }
  }

  @Test(arguments: [
    "", "CET", "CET-", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
    "CET-1CEST,J60,J300",
    "<CET-1", "CET-1CEST,M3.5.0,M10.5.0,", "CET-200", "CET-1:99", "CET-1CEST,M3.5.0/,M10.5.0",
  ])
  func otherRules_areRefused(_ rule: String) {
    #expect(ClockRule(rule) == nil)
  }

  private func datesOfTheSystem(_ moments: some Sequence<Int>, rule: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/date")
    process.arguments = ["-f", "-", "+%Y-%-m-%-d %-H:%-M:%-S %Z"]
    process.environment = ["TZ": rule, "LC_ALL": "C"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(moments.map { "@\($0)\n" }.joined().utf8))
    try input.fileHandleForWriting.close()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").map(String.init)
  }
}
