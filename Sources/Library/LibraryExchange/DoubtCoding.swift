internal import EventLoop
internal import LibraryModel

/// What is doubtful in the library, on the wire between the daemon and the library.
enum DoubtCoding {
  /// For each kind: its name, the number of things, the names and details of examples.
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

  /// Four kinds have at most 96 texts, which fit into an answer with this length.
  private static func text(_ text: String) -> BusValue {
    .string(BusText.harmless(text, limit: 256))
  }

  static func doubts(_ value: BusValue) throws(BusTypeError) -> LibraryDoubts {
    var parts: [LibraryDoubts.Part] = []
    for element in value.elements ?? [] {
      var fields = BodyReader(element.elements ?? [])
      let word = try fields.string()
      let count = try fields.integer()
      guard let kind = LibraryDoubts.Kind(rawValue: word) else {
        throw BusTypeError(expected: "what is doubtful", found: word, index: 0)
      }
      var examples: [LibraryDoubts.Example] = []
      for example in try fields.value().elements ?? [] {
        var texts = BodyReader(example.elements ?? [])
        examples.append(.init(name: try texts.string(), detail: try texts.string()))
      }
      parts.append(LibraryDoubts.Part(kind, count: count, examples: examples))
    }
    return LibraryDoubts(parts)
  }
}
