/// What the image says about its storage, `/data`: one line of `/run/data/notice`, an identifier and a
/// sentence (`board/helpers/report.h`).
package struct StorageNotice: Hashable, Sendable {
  /// Words with dots between them, from the general to the special: `data.memory.no-partition`.
  package let identifier: String
  /// For people.
  package let sentence: String

  /// Reads a line. Nil where it has no identifier of the storage.
  package init?(line: some StringProtocol) {
    guard line.hasPrefix("data."), let space = line.firstIndex(of: " ") else { return nil }
    identifier = String(line[..<space])
    sentence = String(line[line.index(after: space)...])
  }

  /// The lines of the file.
  package static func all(in text: String) -> [StorageNotice] {
    text.split(separator: "\n").compactMap { StorageNotice(line: $0) }
  }

  private var words: [Substring] { identifier.split(separator: ".") }

  /// What the screen says about it, until it is touched. Nil where only the console says it.
  package var kind: UnitNotice.Kind? {
    guard words.count > 1 else { return nil }
    return switch words[1] {
    case "checking": .storageChecking
    case "checked": .storageChecked
    case "repaired": .storageRepaired
    case "read-only": .storageReadOnly
    case "memory": .storageMissing
    default: nil
    }
  }

  /// Bad while what is new is lost with the power.
  package var grade: Grade {
    switch kind {
    case .storageChecking, .storageReadOnly, .storageMissing: .bad
    default: .note
    }
  }
}

extension [StorageNotice] {
  /// The one that matters most for the driver; nil where there is none for the screen.
  package var foremost: UnitNotice? {
    let kinds = compactMap(\.kind)
    return UnitNotice.Kind.ofStorage.first { kinds.contains($0) }.map { UnitNotice($0) }
  }
}
