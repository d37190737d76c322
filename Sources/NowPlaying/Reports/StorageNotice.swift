/// A message of the image about its storage `/data`. It is one line of the file `/run/data/notice`,
/// with an identifier and a sentence (`board/helpers/report.h`).
package struct StorageNotice: Hashable, Sendable {
  /// Words with dots between them, from general to specific: `data.memory.no-partition`.
  package let identifier: String
  /// The text for people.
  package let sentence: String

  /// Creates the message from a line. Nil if the line does not begin with an identifier of the
  /// storage.
  package init?(line: some StringProtocol) {
    guard line.hasPrefix("data."), let space = line.firstIndex(of: " ") else { return nil }
    identifier = String(line[..<space])
    sentence = String(line[line.index(after: space)...])
  }

  /// The messages in the text of the file.
  package static func all(in text: String) -> [StorageNotice] {
    text.split(separator: "\n").compactMap { StorageNotice(line: $0) }
  }

  private var words: [Substring] { identifier.split(separator: ".") }

  /// The kind of the notice that the screen shows until a person touches the notice. Nil if only
  /// the console shows the message.
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

  /// Bad if new data would be lost when the power is switched off.
  package var grade: Grade {
    switch kind {
    case .storageChecking, .storageReadOnly, .storageMissing: .bad
    default: .note
    }
  }
}

extension [StorageNotice] {
  /// The most important notice for the driver; nil if the screen shows none.
  package var foremost: UnitNotice? {
    let kinds = compactMap(\.kind)
    return UnitNotice.Kind.ofStorage.first { kinds.contains($0) }.map { UnitNotice($0) }
  }
}
