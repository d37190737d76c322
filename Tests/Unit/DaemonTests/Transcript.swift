import Foundation
import TestKit

/// The console's output, compared with a file in Goldens. Parts that differ between machines or runs are masked first.
struct Transcript {
  private var lines: [String] = []
  private let home: String

  init(_ home: ServeProcess.Home) {
    self.home = String(home.folder.path("").reversed().drop { $0 == "/" }.reversed())
  }

  /// Adds output.
  /// - Parameter numbers: if false, all numbers are masked, because they depend on the time or the machine.
  mutating func add(_ shown: ArraySlice<String>, numbers: Bool = true) {
    let masked = masked(Array(shown), numbers)
      .filter { line in !Self.eventsOfTheMachine.contains { line.contains($0) } }
    let isEvent = { (line: String) in line.hasPrefix("[TIME]") }
    // The number of events can differ, because one state can contain several changes. Simultaneous events have no fixed
    // order. So the events are added after the other lines, sorted and without duplicates.
    lines += masked.filter { !isEvent($0) } + Set(masked.filter(isEvent)).sorted()
  }

  func check(_ name: String) throws { try Golden.check(lines, name + ".txt") }

  // MARK: Masks

  /// Labels of facts that depend on the machine. Their mark and value are masked, and the details on the following
  /// lines are removed.
  private static let ofTheMachine = [
    "real time", "ran dry", "clock", "wall clock", "kernel", "system", "image", "codecs", "ALSA",
    "cards", "sound cards", "runs for", "time of day", "loop", "storage", "time", "kept by",
    "set it",
  ]
  /// Parts of log and trace lines that appear only on some machines.
  private static let eventsOfTheMachine = ["] sound: plays without ", "output.no-real-time: "]
  private static let marks: [Character] = ["✓", "✗", "•"]

  private func masked(_ shown: [String], _ numbers: Bool) -> [String] {
    var result: [String] = []
    var isBelowMachine = false
    var isBelowMachineList = false
    for (index, row) in shown.enumerated() {
      var line = row.replacingOccurrences(of: home, with: "PLACE")
        .replacingOccurrences(
          of: "/[^ ]*…  *", with: "PLACE…  ", options: .regularExpression)
      let indent = line.prefix { $0 == " " }
      let words = line.dropFirst(indent.count).drop { Self.marks.contains($0) }
        .drop { $0 == " " }
      if index > 0, isBelowMachine, indent.count > 6 { continue }
      isBelowMachine = false
      // The list of file systems depends on the machine.
      if isBelowMachineList, indent.count > 0 { continue }
      isBelowMachineList = ["file systems", "mixer"].contains(line)
      if index > 0, let label = Self.ofTheMachine.first(where: { words.hasPrefix($0 + "  ") }) {
        isBelowMachine = true
        line = "\(indent)~ \(label) ~"
      }
      if line.hasPrefix("No fault found.") || line.contains(" found.") {
        line = "(what is wrong, counted)"
      }
      result.append(numbers ? tidied(line) : tidied(Self.withoutNumbers(line)))
    }
    return result
  }

  /// Collapses spaces, because a mask changes the width of columns.
  private func tidied(_ line: String) -> String {
    let indent = line.prefix { $0 == " " }
    var rest = line.dropFirst(indent.count).replacingOccurrences(
      of: "  +", with: "  ", options: .regularExpression)
    // Masks for the time of an event, for versions, and for the number and the changes of a state.
    for (pattern, mask) in [
      (#"^\[(\d+\.\d{3}|#)\]"#, "[TIME]"), (#"\d+\.\d+\.\d+[^ ]*"#, "VERSION"),
      (#"state \d+: .*"#, "state …"), (#"^now: [\d.]+ s$"#, "now: TIME"),
    ] {
      rest = rest.replacingOccurrences(of: pattern, with: mask, options: .regularExpression)
    }
    return indent + rest
  }

  private static func withoutNumbers(_ line: String) -> String {
    let line = line.replacingOccurrences(
      of: #"\|[ █▇▆▅▄▃▂▁]*\|"#, with: "|PICTURE|", options: .regularExpression)
    return line.replacingOccurrences(
      of: #"(?<![A-Za-z])\d+([.:]\d+)*"#, with: "#", options: .regularExpression
    ).replacingOccurrences(of: "state #: .*", with: "state …", options: .regularExpression)
  }
}
