internal import AudioCodecs
internal import LibraryDatabase
internal import Text

/// Selects the tags of a file that the library stores.
struct TagReading {
  /// Maximum number of values of a tag. Further values are left out.
  private static let maximumValues = 64

  private var tags = TrackTags()
  private var isCompilation: String?
  private var disc: String?
  private var number: String?
  private var originalDate: String?
  private var date: String?
  private var yearText: String?
  /// The values of `ALBUM ARTIST`. They are used if `ALBUMARTIST` is missing.
  private var otherAlbumArtists: [String] = []

  static func tags(of metadata: AudioMetadata) -> TrackTags {
    var reading = TagReading()
    // All tags are found in one pass. The lengths of names are compared first, because this is faster than a comparison
    // of texts.
    for entry in metadata.comments.entries where !entry.value.isEmpty { reading.add(entry) }
    return reading.result()
  }

  private mutating func add(_ entry: VorbisComments.Entry) {
    let (name, value) = (entry.name, entry.value)
    switch name.utf8.count {
    case 4:
      if name == "DATE" { Self.setFirst(&date, value) }
      if name == "YEAR" { Self.setFirst(&yearText, value) }
    case 5:
      if name == "TITLE" { Self.setFirst(&tags.title, value) }
      if name == "ALBUM" { Self.setFirst(&tags.album.title, value) }
      if name == "GENRE" { Self.add(value, to: &tags.genres) }
    case 6:
      if name == "ARTIST" { Self.add(value, to: &tags.artists) }
    case 9:
      if name == "TITLESORT" { Self.setFirst(&tags.sortTitle, value) }
      if name == "ALBUMSORT" { Self.setFirst(&tags.album.sortTitle, value) }
    case 10:
      if name == "ARTISTSORT" { Self.setFirst(&tags.sortArtist, value) }
      if name == "DISCNUMBER" { Self.setFirst(&disc, value) }
    case 11:
      if name == "ALBUMARTIST" { Self.add(value, to: &tags.album.artists) }
      if name == "TRACKNUMBER" { Self.setFirst(&number, value) }
      if name == "COMPILATION" { Self.setFirst(&isCompilation, value) }
    case 12:
      if name == "ALBUM ARTIST" { Self.add(value, to: &otherAlbumArtists) }
      if name == "ORIGINALDATE" { Self.setFirst(&originalDate, value) }
    case 15:
      if name == "ALBUMARTISTSORT" { Self.setFirst(&tags.album.sortArtist, value) }
    case 19:
      if name == "MUSICBRAINZ_ALBUMID" { Self.setFirst(&tags.album.release, value) }
    case 26:
      if name == "MUSICBRAINZ_RELEASETRACKID" { Self.setFirst(&tags.releaseTrack, value) }
    default: break
    }
  }

  private func result() -> TrackTags {
    var tags = tags
    func text(_ value: String?) -> String? {
      value.map(trimmed).flatMap { $0.isEmpty ? nil : $0 }
    }
    tags.title = text(tags.title)
    tags.sortTitle = text(tags.sortTitle)
    tags.sortArtist = text(tags.sortArtist)
    tags.releaseTrack = text(tags.releaseTrack)
    tags.disc = leadingNumber(disc) ?? 0
    tags.number = leadingNumber(number) ?? 0
    tags.year = Self.year([originalDate, date, yearText])
    tags.album.title = text(tags.album.title)
    if tags.album.artists.isEmpty { tags.album.artists = otherAlbumArtists }
    tags.album.release = text(tags.album.release)
    tags.album.isCompilation = text(isCompilation) == "1"
    tags.album.sortTitle = text(tags.album.sortTitle)
    tags.album.sortArtist = text(tags.album.sortArtist)
    return tags
  }

  private static func setFirst(_ text: inout String?, _ value: String) {
    if text == nil { text = value }
  }

  /// Adds the values of one tag. Some programs write several values into one tag, separated by ` ; ` or NUL. Other
  /// characters do not separate values, because they can be a part of a name: AC/DC.
  private static func add(_ value: String, to values: inout [String]) {
    func addOne(_ part: String) {
      let text = trimmed(part)
      if text.isEmpty || values.count >= maximumValues || values.contains(text) { return }
      values.append(text)
    }
    if !value.utf8.contains(where: { $0 == UInt8(ascii: ";") || $0 == 0 }) {
      return addOne(value)
    }
    for part in value.split(separator: "\0").flatMap({ $0.split(separator: " ; ") }) {
      addOne(String(part))
    }
  }

  private static func year(_ dates: [String?]) -> Int {
    for case let text? in dates {
      let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
      if digits.count == 4, let year = Int(Substring(digits)) { return year }
    }
    return 0
  }
}

/// The number at the beginning of a text: 3 in `3/12`. Nil if the text does not begin with a number, or if the number
/// is too large.
private func leadingNumber(_ text: String?) -> Int? {
  guard let text else { return nil }
  let digits = text.utf8.drop { $0 == 0x20 }.prefix { (0x30...0x39).contains($0) }
  return Int(Substring(digits))
}
