// The format of the playlist files is M3U in UTF-8, so that other programs can read the files. A comment line before
// each path contains the identity of the volume:
//
//   #EXTM3U
//   #AUTOHARP-LIST:1
//   #AUTOHARP-AT:61500
//   #AUTOHARP-OPINION:stars=3.5,dislike
//   #AUTOHARP:vfat 1234-ABCD 67108864,14,215000
//   #EXTINF:215,La femme d'argent
//   #EXTART:Air
//   #EXTALB:Moon Safari
//   /media/sda1/Air/01.flac
//   #AUTOHARP-END:1
//
// The example shows all kinds of lines. `AT` is the position of a bookmark in milliseconds; only the file of the
// bookmarks contains this line. `OPINION` is the rating and the dislike; only the file of the opinions contains this
// line. `vfat 1234-ABCD 67108864` is the identity of the volume, and `215000` is the duration in milliseconds. `14` is
// the length in bytes of `/media/sda1/`, the folder in which the volume is mounted. After these bytes of the path line,
// the path below the volume begins. If a path contains a line break or begins with `#`, a fourth field contains the
// path below the volume, escaped. The last line shows that the file is complete, and contains the number of entries.

internal import LibraryModel

extension OwnPlaylist {
  private static let header = "#EXTM3U"
  private static let version = "#AUTOHARP-LIST:1"
  private static let entryPrefix: StaticString = "#AUTOHARP:"
  private static let bookmarkPrefix: StaticString = "#AUTOHARP-AT:"
  private static let opinionPrefix: StaticString = "#AUTOHARP-OPINION:"
  private static let endPrefix: StaticString = "#AUTOHARP-END:"
  private static let information: StaticString = "#EXTINF:"
  private static let artist: StaticString = "#EXTART:"
  private static let album: StaticString = "#EXTALB:"

  // MARK: Writing

  /// The bytes of the playlist file.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    func line(_ text: String) {
      bytes += text.utf8
      bytes.append(0x0A)
    }
    line(Self.header)
    line(Self.version)
    for entry in entries {
      let root = entry.root.isEmpty || entry.root.last == 0x2F ? entry.root : entry.root + [0x2F]
      let song = entry.reference
      let path = root + song.path
      let isLine = Self.isLine(path)
      var fields =
        "\(Self.escaped(song.volume.utf8)),\(isLine ? root.count : 0),\(entry.duration.milliseconds)"
      if !isLine { fields += ",\(Self.escaped(song.path))" }
      if let time = entry.bookmark { line("\(Self.bookmarkPrefix)\(time.milliseconds)") }
      if !entry.opinion.isEmpty { line("\(Self.opinionPrefix)\(entry.opinion.text)") }
      line("\(Self.entryPrefix)\(fields)")
      let seconds = entry.duration == .zero ? -1 : entry.duration.roundedSeconds
      line("\(Self.information)\(seconds),\(Self.text(entry.title))")
      if !entry.artist.isEmpty { line("\(Self.artist)\(Self.text(entry.artist))") }
      if !entry.album.isEmpty { line("\(Self.album)\(Self.text(entry.album))") }
      bytes += isLine ? path : Array("./".utf8) + path.map { $0 < 0x20 ? 0x3F : $0 }
      bytes.append(0x0A)
    }
    line("\(Self.endPrefix)\(entries.count)")
    return bytes
  }

  /// True if a reader of M3U files reads these bytes as one path. False if it would read them as several lines or as a
  /// comment.
  private static func isLine(_ path: [UInt8]) -> Bool {
    path.first != UInt8(ascii: "#") && !path.isEmpty
      && !path.contains { $0 == 0x0A || $0 == 0x0D }
  }

  /// Cuts a text to its maximum length, and replaces control characters such as line breaks by spaces.
  private static func text(_ text: String) -> String {
    // Most texts need no change, and the loop below is slow. In UTF-8, control characters above 0x7F begin with 0xC2.
    let isPlain =
      text.utf8.count <= maximumTextBytes
      && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 }
    if isPlain { return text }
    var result = ""
    var count = 0
    for character in text {
      count += character.utf8.count
      if count > maximumTextBytes { break }
      let isControl = character.unicodeScalars.contains {
        $0.properties.generalCategory == .control
      }
      result.append(isControl ? " " : character)
    }
    return result
  }

  /// Writes `%` and two hexadecimal digits for each byte that separates fields or lines, or is not ASCII.
  private static func escaped(_ bytes: some Sequence<UInt8>) -> String {
    var result: [UInt8] = []
    for byte in bytes {
      if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "%") {
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%\(byte < 0x10 ? "0" : "")\(digits)".utf8
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  // MARK: Reading

  /// Reads all entries that can be read from the bytes of a file. If another program wrote the file, no path has the
  /// identity of its volume. The entries are kept, but a song is found only if its path is absolute.
  public init(decoding bytes: [UInt8]) {
    self.init()
    let reading = Self.read(bytes) { entry in
      var entry = entry
      if let last = entries.last { entry.share(last) }
      entries.append(entry)
    }
    isWhole = reading == .whole
  }

  /// Who wrote a file, and whether all of it was read.
  enum Reading {
    /// The unit wrote the file, and all of it was read.
    case whole
    /// The unit wrote the file, and parts of it cannot be read.
    case damaged
    /// Another program wrote the file.
    case foreign
  }

  /// Passes each entry of a file to `body`. This needs less memory than an array of all entries.
  static func read(_ bytes: [UInt8], _ body: (Entry) -> Void) -> Reading {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    var lines = Lines()
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
      let line = rest[..<end]
      if let entry = lines.read(line.last == 0x0D ? line.dropLast() : line) { body(entry) }
      rest = rest[end...].dropFirst()
    }
    if lines.hasControlCharacters { return .damaged }
    guard lines.isOurs else { return .foreign }
    return lines.hasUnknownParts || lines.end != lines.count ? .damaged : .whole
  }

  /// Reads a file line by line. Collects the values of comment lines until the path of their entry follows.
  private struct Lines {
    var isOurs = false
    var hasUnknownParts = false
    /// True if a line has control characters, as random bytes have.
    var hasControlCharacters = false
    /// The number of entries that the last line states.
    var end: Int?
    /// The number of entries that were read so far.
    var count = 0
    private var entry = Entry(SongReference(volume: "", path: []))
    private var rootBytes = 0
    /// True if the identity of the volume was read for the next path.
    private var isKnown = false
    private var escapedPath: [UInt8]?

    /// Returns an entry if the line is a path, which is the last line of an entry.
    mutating func read(_ line: ArraySlice<UInt8>) -> Entry? {
      if line.isEmpty { return nil }
      // No program writes such a line, and the unit escapes these bytes. So the line is damaged.
      if line.contains(where: { $0 < 0x20 && $0 != 0x09 }) {
        hasControlCharacters = true
        return nil
      }
      // No line is expected after the line with the number of entries.
      if end != nil { hasUnknownParts = true }
      guard line.first == UInt8(ascii: "#") else { return ended(by: line) }
      readComment(line)
      return nil
    }

    private mutating func readComment(_ line: ArraySlice<UInt8>) {
      if let fields = OwnPlaylist.value(of: entryPrefix, in: line) {
        identify(fields)
      } else if let value = OwnPlaylist.value(of: information, in: line) {
        let parts = value.split(
          separator: UInt8(ascii: ","), maxSplits: 1, omittingEmptySubsequences: false)
        entry.title = parts.count == 2 ? Self.text(parts[1]) : ""
        if entry.duration == .zero, let seconds = Self.number(parts[0]) {
          entry.duration = SongTime(seconds: Double(seconds)) ?? .zero
        }
      } else if let value = OwnPlaylist.value(of: artist, in: line) {
        entry.artist = Self.text(value)
      } else if let value = OwnPlaylist.value(of: album, in: line) {
        entry.album = Self.text(value)
      } else if let value = OwnPlaylist.value(of: bookmarkPrefix, in: line) {
        entry.bookmark = Self.number(value).flatMap { SongTime(milliseconds: $0) }
        if entry.bookmark == nil { hasUnknownParts = true }
      } else if let value = OwnPlaylist.value(of: opinionPrefix, in: line) {
        let opinion = SongOpinion(text: String(decoding: value, as: UTF8.self)[...])
        if opinion == nil { hasUnknownParts = true }
        entry.opinion = opinion ?? SongOpinion()
      } else if let value = OwnPlaylist.value(of: endPrefix, in: line) {
        end = Self.number(value)
      } else if line.elementsEqual(version.utf8) {
        isOurs = true
      } else if !line.elementsEqual(header.utf8) {
        hasUnknownParts = true
      }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
      OwnPlaylist.text(String(decoding: bytes, as: UTF8.self))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
      Int(String(decoding: bytes, as: UTF8.self))
    }

    private mutating func identify(_ line: ArraySlice<UInt8>) {
      let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      guard (3...4).contains(fields.count), let volume = OwnPlaylist.unescaped(fields[0]),
        let root = Self.number(fields[1])
      else {
        hasUnknownParts = true
        return
      }
      let duration = Self.number(fields[2]).flatMap { SongTime(milliseconds: $0) }
      if duration == nil { hasUnknownParts = true }
      entry.reference.volume = String(decoding: volume, as: UTF8.self)
      entry.duration = duration ?? .zero
      rootBytes = root
      isKnown = true
      escapedPath = fields.count == 4 ? OwnPlaylist.unescaped(fields[3]) : nil
      if fields.count == 4, escapedPath == nil { hasUnknownParts = true }
    }

    /// Completes the entry with the path `line`, and prepares for the next entry.
    private mutating func ended(by line: ArraySlice<UInt8>) -> Entry? {
      defer {
        entry = Entry(SongReference(volume: "", path: []))
        (rootBytes, isKnown, escapedPath) = (0, false, nil)
      }
      if !isKnown { hasUnknownParts = true }
      if let escapedPath {
        entry.reference.path = escapedPath
      } else if isKnown, (0..<line.count).contains(rootBytes) {
        entry.reference.path = Array(line.dropFirst(rootBytes))
        entry.root = Array(line.prefix(rootBytes))
        if entry.root.last == 0x2F { entry.root.removeLast() }
      } else {
        hasUnknownParts = true
        entry.reference.volume = ""
        entry.reference.path = Array(line)
      }
      guard entry.reference.path.count <= maximumPathBytes, !entry.reference.path.contains(0),
        !entry.reference.path.isEmpty,
        count < maximumEntries
      else {
        hasUnknownParts = true
        return nil
      }
      count &+= 1
      return entry
    }
  }

  private static func value(
    of prefix: StaticString, in line: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    let count = prefix.utf8CodeUnitCount
    let start = UnsafeBufferPointer(start: prefix.utf8Start, count: count)
    return line.starts(with: start) ? line.dropFirst(count) : nil
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard bytes.contains(UInt8(ascii: "%")) else { return Array(bytes) }
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        result.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      result.append(value)
      rest = rest.dropFirst(2)
    }
    return result
  }
}
