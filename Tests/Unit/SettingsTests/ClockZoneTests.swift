import Foundation
import Testing

@testable import Settings

@Suite(.serialized) struct ClockZoneTests {
  @Test func names_areUniqueAndInOrder() {
    let names = ClockZone.all.map(\.name)
    #expect(names == names.sorted() && Set(names).count == names.count)
  }

  /// Each rule gives the times of the database of this machine, if it has one that is recent enough.
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
      // The last line of a file of the database is the rule for the future (RFC 9636).
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      #expect(lines.last.map(String.init) == zone.rule, "\(zone.name)")
    }
  }
}
