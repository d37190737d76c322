/// The tags from the chunks of WAV and AIFF files, under the names of Vorbis comments. Only the first chunk of each
/// kind is read, so a file with thousands of these chunks does not need more time and memory.
struct ChunkTags {
  /// The largest number of chunks in an INFO list that are read.
  private static let maximumInfoChunks = 64
  /// The names of RIFF's INFO list. `ITRK` and `IPRT` are both used for the number of the track.
  private static let infoNames = [
    "INAM": "TITLE", "IART": "ARTIST", "IPRD": "ALBUM", "ICRD": "DATE", "IGNR": "GENRE",
    "ITRK": "TRACKNUMBER", "IPRT": "TRACKNUMBER", "IMUS": "COMPOSER",
  ]

  private struct Text {
    let name: String
    let bytes: [UInt8]
    let isCut: Bool
  }

  private var texts: [Text] = []
  private var names: Set<String> = []
  private var hasInfo = false
  private var tag: ID3Tag?

  /// Reads a chunk `LIST` if it has the type `INFO`.
  mutating func readInfo(_ source: any ByteSource, _ range: Range<Int64>) throws(ByteSourceError) {
    guard !hasInfo, try source.prefix(at: range, 4) == Array("INFO".utf8) else { return }
    hasInfo = true
    let list = ByteSourcePart(source, range: range)
    var chunks = ChunkReader(list, start: 4, isBigEndian: false, limit: Self.maximumInfoChunks)
    while let chunk = try chunks.next() {
      if let name = Self.infoNames[chunk.name] { try readText(name, list, chunk.range) }
    }
  }

  /// Reads a chunk that contains an ID3v2 tag.
  mutating func readID3(_ source: any ByteSource, _ range: Range<Int64>) throws(ByteSourceError) {
    guard tag == nil,
      let header = try ID3Tag.Header(source, at: range.lowerBound, limit: range.upperBound)
    else { return }
    tag = try ID3Tag(source, header)
  }

  /// Reads a chunk that contains one text. Further texts with the same name are ignored.
  mutating func readText(_ name: String, _ source: any ByteSource, _ range: Range<Int64>)
    throws(ByteSourceError)
  {
    guard names.insert(name).inserted else { return }
    let limit = TagCollector.maximumValueBytes
    var bytes = try source.prefix(at: range, limit)
    let isCut = range.count > limit && !bytes.contains(0)
    if isCut { bytes.removeLast(TagCollector.partialCharacterBytes(bytes)) }
    if let end = bytes.firstIndex(of: 0) { bytes.removeSubrange(end...) }
    while bytes.last == 0x20 { bytes.removeLast() }
    if !bytes.isEmpty { texts.append(Text(name: name, bytes: bytes, isCut: isCut)) }
  }

  /// All tags. If the ID3 tag and another chunk contain the same name, the text of the ID3 tag is used, because the
  /// texts of the other chunks are often cut.
  var metadata: AudioMetadata {
    let page = CodePage.detect(texts.map(\.bytes))
    var comments = tag?.comments ?? VorbisComments()
    let namesOfID3 = Set(comments.entries.map(\.name))
    for text in texts where !namesOfID3.contains(text.name) {
      comments.entries.append(.init(name: text.name, value: page.string(text.bytes)))
      if text.isCut { comments.cutValues += 1 }
    }
    return AudioMetadata(comments: comments, pictures: tag?.pictures ?? [])
  }

  /// Damage in the ID3 tag.
  var damage: [DecodeError] { tag?.damage ?? [] }
}
