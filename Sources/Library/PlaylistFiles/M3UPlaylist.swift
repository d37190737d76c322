public import AudioCodecs
internal import Text

/// A playlist in the format M3U: each line is a path, or a comment if it begins with `#`.
///
/// The file is read line by line, and reading ends at ``maximumBytes``, ``maximumEntries`` or `maximumTextBytes`. So
/// the memory is limited for each file.
public struct M3UPlaylist: Equatable, Sendable {
  /// An entry of a playlist.
  public struct Entry: Equatable, Sendable {
    /// The names of the folders and of the file, separated by slashes, without a slash at the beginning.
    public var path: String
    /// True if the path begins at the folder of the playlist. False if the path in the file is absolute, for example
    /// because it begins with `/` or `C:\`. An absolute path often comes from another machine.
    public var isRelative: Bool
    /// The title in the line `#EXTINF` before the entry. Nil if the entry has no title.
    public var title: String?

    public init(_ path: String, isRelative: Bool, title: String? = nil) {
      self.path = path
      self.isRelative = isRelative
      self.title = title
    }
  }

  /// Maximum number of bytes that are read from a file.
  public static let maximumBytes = 4 << 20
  /// Maximum number of entries. Further entries are left out.
  public static let maximumEntries = 10_000
  /// Maximum size in bytes of all paths and titles together, in UTF-8. Further entries are left out. The limit is
  /// needed because a text in another character set becomes up to three times as long in UTF-8.
  static let maximumTextBytes = 4 << 20
  /// Maximum length of a line in bytes. Longer lines are left out.
  static let maximumLineBytes = 4096
  private static let chunkBytes = 16 << 10

  /// The title in the line `#PLAYLIST`. Nil if the playlist has no title.
  public private(set) var title: String?
  /// The entries, in order. URLs of streams, other playlists and lines without a path are left out.
  public private(set) var entries: [Entry] = []
  private var textBytes = 0
  private var entryTitle: String?

  /// Reads a file. Blocks while it waits for the medium.
  public init(_ source: some ByteSource) throws(ByteSourceError) {
    var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
    var line = Line()
    var offset = 0
    while offset < Self.maximumBytes, !isFull {
      // A `Result`, because the closure of `withUnsafeMutableBytes` cannot throw a typed error.
      let count = try chunk.withUnsafeMutableBytes { buffer in
        Result { () throws(ByteSourceError) in try source.read(at: Int64(offset), into: buffer) }
      }.get()
      if count <= 0 { break }
      offset += count
      for byte in chunk.prefix(min(count, chunk.count)) {
        if byte != 0x0A, byte != 0x0D {
          line.add(byte)
        } else {
          add(line)
          line.end()
        }
      }
    }
    add(line)
  }

  /// Reads the bytes of a file.
  init(_ bytes: [UInt8]) {
    // Reading from memory does not fail.
    try! self.init(MemoryByteSource(bytes))
  }

  private var isFull: Bool {
    entries.count >= Self.maximumEntries || textBytes >= Self.maximumTextBytes
  }

  /// The bytes of the current line.
  private struct Line {
    var bytes: [UInt8] = []
    /// False if the line is longer than the limit, or contains a NUL, which cannot occur in the name of a file.
    var isUsable = true
    var isFirst = true

    mutating func add(_ byte: UInt8) {
      guard byte != 0, bytes.count < M3UPlaylist.maximumLineBytes else {
        isUsable = false
        return
      }
      bytes.append(byte)
    }

    mutating func end() {
      bytes.removeAll(keepingCapacity: true)
      (isUsable, isFirst) = (true, false)
    }
  }

  private mutating func add(_ line: Line) {
    if isFull { return }
    var bytes = line.bytes[...]
    // Some programs write a byte order mark at the beginning of the file.
    if line.isFirst, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    guard let first = bytes.first else { return }
    if first == UInt8(ascii: "#") {
      if line.isUsable { readComment(bytes) }
      return
    }
    let title = entryTitle
    entryTitle = nil
    guard line.isUsable, let entry = Self.entry(trimmed(Self.text(bytes)), title: title) else {
      return
    }
    textBytes += entry.path.utf8.count + (title?.utf8.count ?? 0)
    entries.append(entry)
  }

  /// Decodes a line, or the name of a file in the same way as a line. Bytes that are not UTF-8 are decoded as
  /// Windows-1252, the character set of old programs.
  public static func text(_ bytes: some Collection<UInt8>) -> String {
    CodePage.western.string(bytes)
  }

  private mutating func readComment(_ bytes: ArraySlice<UInt8>) {
    if let value = Self.value(of: "#PLAYLIST:", in: bytes) {
      if !value.isEmpty { title = value }
    } else if let value = Self.value(of: "#EXTINF:", in: bytes) {
      // `#EXTINF:123,Title`
      let parts = value.split(separator: ",", maxSplits: 1)
      entryTitle = parts.count == 2 ? trimmed(String(parts[1])) : nil
    }
  }

  private static func value(of name: String, in bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.starts(with: name.utf8) else { return nil }
    return trimmed(text(bytes.dropFirst(name.utf8.count)))
  }

  private static func entry(_ text: String, title: String?) -> Entry? {
    var path = text
    var isRelative = true
    let lower = text.lowercased()
    if lower.hasPrefix("file:") {
      path = unescaped(String(text.dropFirst("file:".count)))
      isRelative = false
    } else if lower.contains("://") {
      return nil
    }
    if lower.hasSuffix(".m3u") || lower.hasSuffix(".m3u8") || lower.hasSuffix(".pls") { return nil }
    // A slash and a combining mark after it form one `Character`, so Unicode scalars are compared.
    func isSeparator(_ scalar: Unicode.Scalar) -> Bool { scalar == "/" || scalar == "\\" }
    if path.unicodeScalars.first.map(isSeparator) == true { isRelative = false }
    var names = path.unicodeScalars.split(whereSeparator: isSeparator).map { String($0) }
    // A drive letter, such as `C:`.
    if let first = names.first, first.utf8.count == 2, first.hasSuffix(":") {
      isRelative = false
      names.removeFirst()
    }
    names.removeAll { $0 == "." }
    guard !names.isEmpty else { return nil }
    return Entry(names.joined(separator: "/"), isRelative: isRelative, title: title)
  }

  /// Decodes the percent escapes of a URL, for example `%20` to a space.
  private static func unescaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), value != 0
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
