/// A name as one word, by which a search recognises a name that was typed in full. Spaces, signs and words for *and* do
/// not count.
public struct WholeName: Equatable, Sendable {
  /// The spellings of the name: without signs, and with the letters for which signs stand. At most two.
  public let texts: [String]
  /// The texts as digits of ``KeyPad``, without zeros. A text with a character that is not on a key is left out.
  public let digits: [String]

  /// Computes the spellings of a name.
  public init(_ name: FoldedName) {
    let runs = WordRun.all(in: name)
    var letters: [Unicode.Scalar] = []
    for run in runs {
      for index in run.starts.indices where !Conjunctions.contains(run.word(index)) {
        letters += run.word(index)
      }
    }
    if letters.isEmpty { letters = runs.flatMap(\.letters) }
    var spellings = letters.isEmpty ? [] : [letters]
    if runs.contains(where: { $0.spelled != nil }) {
      spellings.append(runs.flatMap { $0.spelled ?? $0.letters })
    }
    texts = spellings.map { String(String.UnicodeScalarView($0)) }
    digits = spellings.compactMap { spelling in
      var digits = ""
      for scalar in spelling {
        guard let key = KeyPad.key(of: scalar) else { return nil }
        if key > 0 { digits += "\(key)" }
      }
      return digits.isEmpty ? nil : digits
    }
  }

  /// True if one of the texts is equal to the first text of a name, as it is typed.
  public func isEqual(to typed: FoldedName) -> Bool {
    WholeName(typed).texts.first.map(texts.contains) ?? false
  }

  /// True if one of the texts begins with the first text of a name, as it is typed.
  public func begins(with typed: FoldedName) -> Bool {
    guard let typed = WholeName(typed).texts.first else { return false }
    return texts.contains { $0.utf8.starts(with: typed.utf8) }
  }
}
