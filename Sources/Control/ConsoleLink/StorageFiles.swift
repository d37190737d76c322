internal import Files
internal import Reports

/// Reads the image's files about the state of the storage. Every user can read these files. `board/helpers/report.h`
/// describes their format.
package struct StorageFiles: Sendable {
  private static let limit = 128 << 10
  /// The number of lines that are shown of the output of `e2fsck`. The last lines are shown, because they contain the
  /// result.
  private static let outputLines = 20

  /// The folder with the state of the storage. Its files are from the present run of the machine.
  let folder: String
  /// The report of the last repair. It can be from an earlier run of the machine.
  let repair: String
  /// The socket that takes requests for a new file system.
  let socket: String

  /// - Parameters: by default, the paths of the image.
  package init(
    folder: String = "/run/data", repair: String = "/data/log/repair",
    socket: String = "/run/data-format"
  ) {
    self.folder = folder
    self.repair = repair
    self.socket = socket
  }

  /// True if this machine runs the image.
  var isOfImage: Bool { !Self.lines("\(folder)/state").isEmpty }

  /// The messages about the storage.
  var notices: [StorageNotice] {
    Self.lines("\(folder)/notice").compactMap { StorageNotice(line: $0) }
  }

  /// True if the medium has no partition for the storage.
  var hasNoPartition: Bool { notices.contains { $0.identifier == "data.memory.no-partition" } }

  /// The present state of the storage and the result of the last repair. Nil on a machine that does not run the image.
  var report: FactsReport? {
    guard let state = Self.lines("\(folder)/state").first else { return nil }
    var facts = [FactsReport.Fact("state", state, state == "disk" ? .good : .bad)]
    facts += notices.map { .init("notice", $0.sentence, $0.grade) }
    facts += Self.facts(Self.lines("\(folder)/report")[...])
    var sections = [FactsReport.Section("storage", FactsReport.numbered(facts))]
    let kept = Self.lines(repair)
    if !kept.isEmpty {
      let end = kept.firstIndex(of: "") ?? kept.endIndex
      let output = kept[end...].filter { !$0.isEmpty }.suffix(Self.outputLines)
      sections.append(
        .init(
          "last repair",
          Self.facts(kept[..<end]) + output.enumerated().map { .init("e2fsck \($0 + 1)", $1) }))
    }
    return FactsReport(sections)
  }

  /// Parses lines that consist of a label, a colon and a value.
  private static func facts(_ lines: ArraySlice<String>) -> [FactsReport.Fact] {
    lines.compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return .init(String(line[..<colon]), String(line[colon...].dropFirst(2)))
    }
  }

  private static func lines(_ path: String) -> [String] {
    guard let bytes = KernelFile.bytes(path, atMost: limit, followsLinks: false) else { return [] }
    return String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
