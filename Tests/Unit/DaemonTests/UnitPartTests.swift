import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon

/// Each part of the unit has a check, and a part that does not answer is a fault.
@Suite struct UnitPartTests {
  private func findings(_ bench: PartsBench) throws -> [DiagnosisReport.Finding] {
    var findings: [DiagnosisReport.Finding]?
    bench.control.findings { findings = $0 }
    try bench.context.loop.turn { findings != nil }
    return try #require(findings)
  }

  @Test func eachPart_answers() throws {
    let bench = try PartsBench()
    try bench.parts.storage.start()
    let silent = try findings(bench).filter { $0.code == "part.silent" }
    #expect(silent == [])
  }

  @Test(arguments: UnitPart.allCases) func part_thatDoesNotAnswer_isAFault(_ part: UnitPart) {
    let others = UnitPart.allCases.filter { $0 != part }
    let findings = others.map { DiagnosisReport.Finding($0.codes[0] + "x", "x", .good, "x") }
    let silent = UnitPart.silentParts(findings)
    #expect(silent.map(\.code) == ["part.silent"] && silent[0].subject == part.rawValue)
    #expect(silent[0].grade == .bad)
  }

  /// The check of each part of the root. A part that is new in the root needs a check, and a row here.
  @Test func eachPartOfTheRoot_hasACheck() throws {
    let checks: [String: [UnitPart]] = [
      "loop": [.units], "run": [.lastEnd], "unit": [.output, .volume], "settings": [.configuration],
      "memory": [.storage, .lastEnd], "notices": [.storage, .bootPartition, .sticks],
      "music": [.music, .sticks], "lists": [.library], "queue": [.storage],
      "bluetooth": [.bluetoothd, .controller], "apps": [.units], "keys": [.keys],
      "car": [.carLines], "holds": [.output], "sound": [.output, .card], "board": [.memory],
      "machine": [.units], "storage": [.storage, .covers], "services": [.units],
      "devices": [.kernel, .screen, .clock, .sticks], "outbox": [.screen], "log": [.kernel],
    ]
    let members = Mirror(reflecting: try PartsBench().parts).children.compactMap(\.label)
    #expect(Set(members) == Set(checks.keys))
    #expect(checks.values.allSatisfy { !$0.isEmpty })
  }

  @Test func systemdUnit_belongsToOnePart() {
    let units = UnitPart.allCases.flatMap(\.units)
    #expect(Set(units).count == units.count)
    #expect(UnitPart.part(of: "stick@sdb1.service") == .sticks)
    #expect(UnitPart.part(of: "autoharp-library.service") == .library)
    #expect(UnitPart.part(of: "other.service") == nil)
    #expect(UnitPart.permanentUnits.allSatisfy { UnitPart.part(of: $0) != nil })
  }

  @Test func explanations_haveNoCircle() {
    let rules = DiagnosisReport.explanations
    func reaches(_ cause: String, _ steps: Int) -> Bool {
      steps > rules.count
        || rules.filter { cause.hasPrefix($0.cause) || $0.cause.hasPrefix(cause) }
          .contains { $0.consequences.contains { reaches($0, steps + 1) } }
    }
    for rule in rules { #expect(!reaches(rule.cause, 0), "\(rule.cause)") }
  }

  @Test func consequences_standBelowTheirCause() {
    let unit = DiagnosisReport.Finding("unit.dbus.failed", "dbus", .bad, "failed")
    let service = DiagnosisReport.Finding("unit.bluetooth.failed", "bluetooth", .bad, "failed")
    let phones = DiagnosisReport.Finding("bluetooth.no-service", "bluetooth", .bad, "not running")
    let other = DiagnosisReport.Finding("keys.stuck", "keys", .bad, "held")
    let screen = DiagnosisReport.Finding("screen.none", "screen", .note, "none")
    let report = DiagnosisReport(findings: [phones, screen, service, other, unit], paths: [])
    #expect(report.faults == [other, unit] && report.problemCount == 2)
    #expect(report.cause(of: phones) == unit)
    #expect(report.consequences(of: unit) == [phones, service])
    #expect(report.consequences(of: other) == [])
    // A fault that is over comes after one that lasts.
    let past = DiagnosisReport.Finding("ends.crashed", "last end", .bad, "crashed")
    #expect(DiagnosisReport(findings: [past, other], paths: []).faults == [other, past])
  }
}
