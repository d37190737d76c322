internal import EventLoop

/// Limits for the lengths of texts that a phone reads, in bytes of UTF-8.
///
/// BlueZ answers GetElementAttributes in packets of 502 bytes. For each further packet, BlueZ reads the *current* text
/// again. If a track with shorter texts begins between two packets, BlueZ reads beyond the end of the text. So the
/// complete answer must fit into one packet: the headers of seven attributes (8 bytes each), two numbers of at most 10
/// digits, and these texts.
package struct TextLimits: Hashable, Sendable {
  package var title: Int
  package var artist: Int
  package var album: Int
  package var genre: Int

  package init(title: Int, artist: Int, album: Int, genre: Int) {
    self.title = title
    self.artist = artist
    self.album = album
    self.genre = genre
  }

  /// The answer fits into one packet: 7 × 8 + 2 × 10 + 400 = 476 of 502 bytes.
  package static let onePacket = TextLimits(title: 120, artist: 120, album: 120, genre: 40)

  /// The longest texts that an attribute can hold. These limits are for a qualification run, because the tests
  /// RCR/BV-02-C and BV-04-C require a second packet. With these limits, BlueZ can read beyond the end of a text.
  package static let attribute = TextLimits(
    title: 65_000, artist: 65_000, album: 65_000, genre: 65_000)
}

/// Texts in the form that phones read.
enum AttributeText {
  /// Separates the names of two artists or genres in one text.
  static let separator = ", "

  /// Cuts a text to at most `limit` bytes, between two grapheme clusters. If the first grapheme cluster alone is longer
  /// than `limit`, the text is cut between two Unicode scalars.
  static func cut(_ text: String, to limit: Int) -> String {
    let text = BusText.harmless(text)
    guard text.utf8.count > limit else { return text }
    var end = text.startIndex
    var count = 0
    while end < text.endIndex {
      let next = text.index(after: end)
      count += text[end..<next].utf8.count
      if count > limit { break }
      end = next
    }
    return end == text.startIndex ? BusText.harmless(text, limit: limit) : String(text[..<end])
  }
}
