import NowPlaying
import ScreenLayout
import Testing

@Suite struct LocalizedWordsTests {
  /// The name of each text, and its parts. A text with a name in it has a part before the name and
  /// a part after it. Reads the table by reflection, so that no text is forgotten.
  private static func texts(_ table: Any) -> [(label: String, parts: [String])] {
    Mirror(reflecting: table).children.flatMap { child -> [(label: String, parts: [String])] in
      let label = child.label ?? "?"
      switch child.value {
      case let text as String: return [(label, [text])]
      case let text as NamedText: return [(label, [text.before, text.after])]
      default: return texts(child.value)
      }
    }
  }

  private static let tags = LocalizedWords.languages.keys.sorted()

  @Test(arguments: tags)
  func everyText_isPresent_andHasAtMost60Characters(_ tag: String) {
    let texts = Self.texts(LocalizedWords(LanguageTag(tag)))
    #expect(texts.count > 30)
    for (label, parts) in texts {
      let count = parts.reduce(0) { $0 + $1.count }
      #expect((1...60).contains(count), "\(label): \(count) characters")
    }
  }

  @Test func everyLanguage_hasItsOwnTexts() {
    // Languages of Europe share these words.
    let shared: Set = ["radio", "live"]
    for (index, tag) in Self.tags.enumerated() {
      for other in Self.tags[(index + 1)...] {
        let texts = Self.texts(LocalizedWords(LanguageTag(tag)))
        let others = Self.texts(LocalizedWords(LanguageTag(other)))
        for (text, same) in zip(texts, others) where !shared.contains(text.label) {
          #expect(text.parts != same.parts, "\(tag), \(other): \(text.label)")
        }
      }
    }
  }

  /// Pango takes the direction of a line from its first letter.
  @Test(arguments: tags.filter { LocalizedWords.isRightToLeft(LanguageTag($0)) })
  func rightToLeft_everyTextBeginsWithALetterOfItsScript(_ tag: String) {
    for (label, parts) in Self.texts(LocalizedWords(LanguageTag(tag))) {
      let first = parts[0].unicodeScalars.first { $0.properties.isAlphabetic }
      #expect(first.map { (0x590...0x6FF).contains($0.value) } == true, "\(label)")
    }
  }

  @Test func region_andOldTag_selectTheLanguage_andAnUnknownTagSelectsEnglish() {
    #expect(LocalizedWords("de-AT") == LocalizedWords("de"))
    #expect(LocalizedWords("iw") == LocalizedWords("he"))
    #expect(LocalizedWords("tlh") == LocalizedWords("en"))
    #expect(LocalizedWords.isRightToLeft("iw"))
    #expect(!LocalizedWords.isRightToLeft("en"))
  }

  @Test func name_isPutIntoTheText() {
    #expect(LocalizedWords("de").pairWith("Ana") == "Mit Ana koppeln?")
    #expect(LocalizedWords("fr").notices.connected("Ana") == "Connecté : Ana")
  }
}
