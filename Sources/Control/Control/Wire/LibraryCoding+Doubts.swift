internal import EventLoop
internal import LibraryModel

extension LibraryCoding {
  static func value(of doubts: LibraryDoubts) -> BusValue {
    .array(
      of: "(sua(ss))",
      doubts.parts.map { part in
        .structure([
          .string(part.kind.rawValue), .uint32(UInt32(clamping: part.count)),
          .array(
            of: "(ss)",
            part.examples.map { .structure([WireText.line($0.name), WireText.line($0.detail)]) }),
        ])
      })
  }

  /// A part of a kind that this program does not know is left out.
  static func doubts(_ value: BusValue) -> LibraryDoubts {
    LibraryDoubts(
      (value.elements ?? []).prefix(100).compactMap { part in
        guard let fields = part.elements, fields.count == 3,
          let kind = fields[0].text.flatMap({ LibraryDoubts.Kind(rawValue: $0) })
        else { return nil }
        let examples = (fields[2].elements ?? []).prefix(LibraryDoubts.maximumExamples)
        return LibraryDoubts.Part(
          kind, count: fields[1].integer ?? 0,
          examples: examples.compactMap { example in
            guard let texts = example.elements, texts.count == 2, let name = texts[0].text else {
              return nil
            }
            return .init(name: name, detail: texts[1].text ?? "")
          })
      })
  }
}
