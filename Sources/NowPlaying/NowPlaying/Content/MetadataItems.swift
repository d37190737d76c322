/// Everything that is known about content, in all languages; who shows it chooses (P9).
public struct MetadataItems: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// In the order in which they were given.
  public private(set) var items: [MetadataItem]

  /// Any items, several of one identifier too.
  public init(_ items: [MetadataItem] = []) { self.items = items }

  /// See ``init(_:)``.
  public init(arrayLiteral elements: MetadataItem...) { self.init(elements) }

  /// The text for a listener: the one whose language suits best, then what is for everybody. An
  /// empty text counts as none. Of equals the first wins.
  public func text(
    _ identifier: MetadataIdentifier, for listener: LanguageTag = .undefined
  ) -> String? {
    var best: (text: String, suitability: Int)?
    for item in items where item.identifier == identifier {
      guard case .text(let text) = item.value, !text.isEmpty,
        let suitability = item.language.suitability(for: listener),
        best.map({ suitability > $0.suitability }) ?? true
      else { continue }
      best = (text, suitability)
    }
    return best?.text
  }

  /// All texts for a listener that suit as well as the one that ``text(_:for:)`` gives, in their
  /// order and each once: several artists are several items.
  public func texts(
    _ identifier: MetadataIdentifier, for listener: LanguageTag = .undefined
  ) -> [String] {
    var best: (texts: [String], suitability: Int) = ([], .min)
    for item in items where item.identifier == identifier {
      guard case .text(let text) = item.value, !text.isEmpty,
        let suitability = item.language.suitability(for: listener), suitability >= best.suitability
      else { continue }
      if suitability > best.suitability { best = ([], suitability) }
      if !best.texts.contains(text) { best.texts.append(text) }
    }
    return best.texts
  }

  /// The first number under an identifier.
  public func number(_ identifier: MetadataIdentifier) -> Int? {
    for item in items where item.identifier == identifier {
      if case .number(let number) = item.value { return number }
    }
    return nil
  }

  /// Adds one behind the others.
  public mutating func append(_ item: MetadataItem) { items.append(item) }
}
