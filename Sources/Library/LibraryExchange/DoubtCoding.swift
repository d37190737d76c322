internal import EventLoop
internal import LibraryModel

/// The encoding of ``LibraryDoubts`` on the wire between the daemon and the library.
enum DoubtCoding {
  /// For each kind: its name, the number of doubts, and examples. An example is a name and a detail.
  static let doubts = "a(sua(ss))"

  static func value(of doubts: LibraryDoubts) -> BusValue {
    .array(
      of: "(sua(ss))",
      doubts.parts.map { part in
        .structure([
          .string(part.kind.rawValue), RowCoding.count(part.count),
          .array(
            of: "(ss)",
            part.examples.prefix(LibraryDoubts.maximumExamples).map {
              .structure([text($0.name), text($0.detail)])
            }),
        ])
      })
  }

  /// A text of at most 256 bytes. Four kinds have at most 96 texts, so all texts fit into an answer.
  private static func text(_ text: String) -> BusValue {
    .string(BusText.harmless(text, limit: 256))
  }

  static func doubts(_ answer: inout AnswerReader) throws(AnswerFault) -> LibraryDoubts {
    var parts: [LibraryDoubts.Part] = []
    for var fields in try answer.structures(atMost: LibraryDoubts.Kind.allCases.count) {
      var part = LibraryDoubts.Part(
        try fields.word(LibraryDoubts.Kind.self), count: try fields.number())
      for var texts in try fields.structures(atMost: LibraryDoubts.maximumExamples) {
        part.examples.append(.init(name: try texts.text(), detail: try texts.text()))
      }
      parts.append(part)
    }
    guard Set(parts.map(\.kind)).count == parts.count else {
      throw AnswerFault("a kind occurs twice")
    }
    return LibraryDoubts(parts)
  }
}
