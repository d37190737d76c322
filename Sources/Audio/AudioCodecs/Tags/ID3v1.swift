/// A tag of the format ID3v1 or ID3v1.1: fields of fixed length, and a number for the genre.
struct ID3v1 {
  static let bytes: Int64 = 128
  private(set) var comments = VorbisComments()

  /// The end of the sound in a FLAC file: the start of the tag, or the end of the source. libFLAC would report the tag
  /// as a damaged FLAC frame. Read errors are ignored, because a file with an unreadable end can have a valid
  /// beginning.
  static func endOfSound(_ source: any ByteSource) -> Int64 {
    guard let tag = try? source.bytes(at: source.size - bytes, count: 3),
      tag.elementsEqual("TAG".utf8)
    else { return source.size }
    return source.size - bytes
  }

  /// Reads the tag at the end of the source. Nil if there is no tag.
  init?(_ source: any ByteSource) throws(ByteSourceError) {
    guard let bytes = try source.bytes(at: source.size - Self.bytes, count: Int(Self.bytes)),
      bytes.starts(with: "TAG".utf8)
    else { return nil }
    let fields = [("TITLE", 3..<33), ("ARTIST", 33..<63), ("ALBUM", 63..<93), ("DATE", 93..<97)]
    let texts = fields.map { name, range in
      (name, Array(bytes[range].prefix { $0 != 0 }))
    }
    let page = CodePage.detect(texts.map(\.1))
    for (name, text) in texts {
      let value = page.string(text).trimmedAtEnd
      if !value.isEmpty { comments.entries.append(.init(name: name, value: value)) }
    }
    if bytes[125] == 0, bytes[126] != 0 {
      comments.entries.append(.init(name: "TRACKNUMBER", value: "\(bytes[126])"))
    }
    if ID3Names.genres.indices.contains(Int(bytes[127])) {
      comments.entries.append(.init(name: "GENRE", value: ID3Names.genres[Int(bytes[127])]))
    }
  }
}

extension String {
  /// The text without the blanks at its end.
  fileprivate var trimmedAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
