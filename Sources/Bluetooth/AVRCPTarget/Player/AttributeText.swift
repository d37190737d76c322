internal import EventLoop

/// How long the texts may be that a phone is told, in bytes of UTF-8.
///
/// BlueZ answers GetElementAttributes in packets of 502 bytes, and reads the *live* text again for
/// each that continues the first: where a track with shorter texts comes between two packets, it
/// reads beyond the text's end. So everything has to fit into one packet: seven headers of 8 bytes,
/// two numbers of at most 10 digits, and these.
package struct TextLimits: Hashable, Sendable {
  package var title: Int
  package var artist: Int
  package var album: Int
  package var genre: Int

  /// See the fields.
  package init(title: Int, artist: Int, album: Int, genre: Int) {
    self.title = title
    self.artist = artist
    self.album = album
    self.genre = genre
  }

  /// One packet: 7 × 8 + 2 × 10 + 400 = 476 of 502 bytes.
  package static let onePacket = TextLimits(title: 120, artist: 120, album: 120, genre: 40)

  /// As long as they are, within what an attribute can be. For a qualification run, which has to see
  /// a second packet (RCR/BV-02-C, BV-04-C); the trap is open then.
  package static let attribute = TextLimits(
    title: 65_000, artist: 65_000, album: 65_000, genre: 65_000)
}

/// A text as it is told to a phone.
enum AttributeText {
  /// Stands between two names.
  static let separator = ", "

  /// Cut to `limit` bytes: between two characters as people see them; where the first alone is
  /// longer, between two of Unicode's.
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
