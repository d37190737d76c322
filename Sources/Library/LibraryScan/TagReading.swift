internal import AudioCodecs
internal import LibraryDatabase
internal import Text

/// Takes from the tags of a file what the library keeps.
enum TagReading {
  /// Further values of a tag are left out.
  private static let maximumValues = 64

  static func tags(of metadata: AudioMetadata) -> TrackTags {
    let comments = metadata.comments
    var tags = TrackTags()
    tags.title = text(comments, "TITLE")
    tags.artists = values(comments, ["ARTIST"])
    tags.genres = values(comments, ["GENRE"])
    tags.disc = max(0, metadata.discNumber ?? 0)
    tags.number = max(0, metadata.trackNumber ?? 0)
    tags.year = year(comments)
    tags.sortTitle = text(comments, "TITLESORT")
    tags.sortArtist = text(comments, "ARTISTSORT")
    tags.album.title = text(comments, "ALBUM")
    tags.album.artists = values(comments, ["ALBUMARTIST", "ALBUM ARTIST"])
    tags.album.release = text(comments, "MUSICBRAINZ_ALBUMID")
    tags.album.isCompilation = text(comments, "COMPILATION") == "1"
    tags.album.sortTitle = text(comments, "ALBUMSORT")
    tags.album.sortArtist = text(comments, "ALBUMARTISTSORT")
    return tags
  }

  /// The first value of a tag, without the space around it. Nil if it is empty.
  private static func text(_ comments: VorbisComments, _ name: String) -> String? {
    comments.first(name).map(trimmed).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The values of the first of these tags that has one. Some programs write several values in one, with
  /// ` ; ` or a zero character between them. Other characters may be part of a name: AC/DC.
  private static func values(_ comments: VorbisComments, _ names: [String]) -> [String] {
    for name in names {
      var seen: Set<String> = []
      let values = comments.all(name).flatMap { split($0) }.filter { seen.insert($0).inserted }
      if !values.isEmpty { return Array(values.prefix(maximumValues)) }
    }
    return []
  }

  private static func split(_ value: String) -> [String] {
    if !value.utf8.contains(where: { $0 == UInt8(ascii: ";") || $0 == 0 }) {
      let text = trimmed(value)
      return text.isEmpty ? [] : [text]
    }
    return value.split(separator: "\0").flatMap { $0.split(separator: " ; ") }
      .map { trimmed(String($0)) }.filter { !$0.isEmpty }
  }

  private static func year(_ comments: VorbisComments) -> Int {
    for name in ["ORIGINALDATE", "DATE", "YEAR"] {
      guard let text = comments.first(name) else { continue }
      let digits = text.prefix { $0.isASCII && $0.isNumber }
      if digits.count == 4, let year = Int(digits) { return year }
    }
    return 0
  }
}
