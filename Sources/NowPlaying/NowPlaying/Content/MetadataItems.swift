/// All facts about content, in all languages. The surface chooses what to show (P9).
public struct MetadataItems: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The items, in the order in which they were added.
  public private(set) var items: [MetadataItem]

  /// Creates a value with these items. Several items can have the same identifier.
  public init(_ items: [MetadataItem] = []) { self.items = items }

  public init(arrayLiteral elements: MetadataItem...) { self.init(elements) }

  /// The text for a listener; nil if there is none. This is the text whose language matches best, or else a text
  /// without a language. Empty texts are ignored. If several texts match equally well, the first of these texts is
  /// used.
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

  /// All texts whose language matches the listener best, in order, without duplicates. ``text(_:for:)`` returns the
  /// first of these texts. Example: a song with several artists has an item for each artist.
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

  /// The first number with this identifier; nil if there is none.
  public func number(_ identifier: MetadataIdentifier) -> Int? {
    for item in items where item.identifier == identifier {
      if case .number(let number) = item.value { return number }
    }
    return nil
  }

  /// Adds an item at the end.
  public mutating func append(_ item: MetadataItem) { items.append(item) }
}
