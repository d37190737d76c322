import BusMethods
import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

/// Checks that docs/control.md agrees with the interfaces, and that its examples work.
@Suite struct ControlDocumentTests {
  private let text: String

  init() throws {
    text = try ProjectFile.text("docs/control.md")
  }

  private func rows(_ section: String) throws -> [[String]] {
    try ProjectFile.tableRows("docs/control.md", section: section)
  }

  /// Collapses spaces, because the width of columns depends on the version of busctl.
  private static func narrow(_ line: String) -> String {
    line.split(separator: " ").joined(separator: " ")
  }

  @Test func tables_equalTheInterfaces() throws {
    for interface in ControlInterface.all.map(\.declaration) {
      func list(_ arguments: [BusInterface.Argument]) -> String {
        arguments.map { "`\($0.name) \($0.signature)`" }.joined(separator: ", ")
      }
      let expected =
        interface.methods.map { ["`\($0.name)`", list($0.arguments), list($0.results)] }
        + interface.signals.map { ["signal `\($0.name)`", "", list($0.arguments)] }
      let all = try rows("`\(interface.name)`").map { Array($0.prefix(3)) }
      let written = all.filter { row in
        row[0].hasPrefix("signal") || interface.methods.contains { "`\($0.name)`" == row[0] }
      }
      #expect(written == expected, "\(interface.name)")
      #expect(interface.properties.isEmpty)
      if interface == Surface1.interface.declaration || interface == Unit1.interface.declaration {
        #expect(all.count == expected.count)
      }
    }
  }

  @Test func rightsTable_equalsTheRights() throws {
    func word(_ right: AccessRight, _ role: AccessRole) -> String {
      AccessRight.rights(of: role).contains(right) ? "yes" : "no"
    }
    let expected = AccessRight.allCases.map { right in
      let methods = ControlInterface.all.compactMap { interface -> String? in
        let names = interface.rows.filter { $0.right == right }.map(\.method.name)
        if names.isEmpty { return nil }
        let short = interface.name.split(separator: ".").last ?? ""
        return "`\(short)`: " + names.map { "`\($0)`" }.joined(separator: ", ")
      }
      return [
        "`\(right)`", word(right, .owner), word(right, .console), word(right, .screen),
        word(right, .app), word(right, .observer),
        methods.joined(separator: "; "),
      ]
    }
    #expect(try rows("Permissions").map { [$0[0]] + $0[2...] } == expected)
  }

  @Test func refusalTable_listsAllCodes() throws {
    let rows = try rows("Refusals")
    #expect(rows.map { $0[0] } == Refusal.Code.all.map { "`\($0)`" })
    #expect(rows.allSatisfy { !$0[1].isEmpty })
  }

  @Test func commandTable_listsAllCommands() throws {
    let known = Set(RequestCoding.shapes.map { "`\($0.command)`" })
    let written = try rows("`\(Commands1.interface.name)`").map { Array($0.prefix(2)) }
      .filter { known.contains($0[0]) }
    #expect(
      written
        == RequestCoding.shapes.map {
          ["`\($0.command)`", $0.arguments.isEmpty ? "" : "`\($0.arguments)`"]
        })
  }

  @Test func stateTable_hasEveryKey() throws {
    let table = try rows("`\(NowPlaying1.interface.name)`").map { $0[0] }
    let unit = FakeUnit()
    for entry in StateCoding.value(of: unit.center.state).entries ?? [] {
      let key = try #require(entry.key.text)
      #expect(table.contains { $0.contains("`\(key)`") }, "\(key)")
    }
  }

  @Test func examples_work() throws {
    let bench = try Bench()
    let blocks = text.components(separatedBy: "```console\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
    #expect(!blocks.isEmpty)
    var count = 0
    for block in blocks {
      var variable = ""
      var lines = block.components(separatedBy: "\n")
      while !lines.isEmpty {
        let command = lines.removeFirst()
        let expected = Array(lines.prefix { !$0.hasPrefix("$ ") }).map(Self.narrow)
        lines.removeFirst(expected.count)
        let line = command.dropFirst(2)
          .replacingOccurrences(of: "/run/autoharp/control", with: bench.path)
        if line.hasPrefix("A=") {
          variable = line
          continue
        }
        count += 1
        let output = try bench.loop.run("sh", ["-c", "\(variable); \(line)"]).get()
        let found = output.split(separator: "\n").map { Self.narrow(String($0)) }
        #expect(found.count == expected.count, "\(command): \(output)")
        for (found, expected) in zip(found, expected) {
          let isCut = expected.hasSuffix("…")
          #expect(
            isCut ? found.hasPrefix(expected.dropLast()) : found == expected,
            "\(command): \(found)")
        }
      }
    }
    #expect(count > 8)
    #expect(bench.unit.done == ["begin call for 1800.0 outliving"])
    #expect(bench.center.volume.level.thousandths == 350)
    #expect(bench.center.trace.records.last?.surface == "script")
  }
}
