public import AudioCodecs
internal import Text

/// A playlist in the format M3U: one path in each line, and lines with `#` for comments.
///
/// The file is read line by line, and the reading ends at the first limit. So the memory does not depend on the file.
public struct M3UPlaylist: Equatable, Sendable {
  /// An entry of a playlist.
  public struct Entry: Equatable, Sendable {
    /// The names from the outermost folder to the file, with slashes between them.
    public var path: String
    /// True if the path begins at the folder of the playlist. False if it begins at a folder that may not exist on this
    /// machine, such as `C:\`.
    public var isRelative: Bool
    /// The title in the line `#EXTINF` before the entry.
    public var title: String?

    public init(_ path: String, isRelative: Bool, title: String? = nil) {
      self.path = path
      self.isRelative = isRelative
      self.title = title
    }
  }

  /// Further bytes are not read.
  public static let maximumBytes = 4 << 20
  /// Further entries are left out.
  public static let maximumEntries = 10_000
  /// Maximum size of all paths and titles in UTF-8. Further entries are left out. In UTF-8, a text of another character
  /// set has up to three times its size.
  static let maximumTextBytes = 4 << 20
  /// Longer lines are left out.
  static let maximumLineBytes = 4096
  private static let chunkBytes = 16 << 10

  /// The title in the line `#PLAYLIST`.
  public private(set) var title: String?
  /// The entries, in order. Addresses of the network, other playlists and lines that are not a path are left out.
  public private(set) var entries: [Entry] = []
  private var textBytes = 0
  private var entryTitle: String?

  /// Reads a file. Blocks while the medium does not answer.
  public init(_ source: some ByteSource) throws(ByteSourceError) {
    var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
    var line = Line()
    var offset = 0
    while offset < Self.maximumBytes, !isFull {
      // The closure cannot throw a typed error.
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
    // Memory has no errors.
    try! self.init(MemoryByteSource(bytes))
  }

  private var isFull: Bool {
    entries.count >= Self.maximumEntries || textBytes >= Self.maximumTextBytes
  }

  /// The bytes of a line, as far as they are kept.
  private struct Line {
    var bytes: [UInt8] = []
    /// False if the line is longer than the limit, or has a zero, which no name of a file has.
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
    // Some programs write a byte order mark.
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

  /// The text of a line, and of the name of a file as a line has it. A line that is not UTF-8 is read as Windows-1252,
  /// the character set of old programs.
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
    // A combining mark after a slash makes one character with it, so the scalars are compared.
    func isSeparator(_ scalar: Unicode.Scalar) -> Bool { scalar == "/" || scalar == "\\" }
    if path.unicodeScalars.first.map(isSeparator) == true { isRelative = false }
    var names = path.unicodeScalars.split(whereSeparator: isSeparator).map { String($0) }
    // The letter of a drive.
    if let first = names.first, first.utf8.count == 2, first.hasSuffix(":") {
      isRelative = false
      names.removeFirst()
    }
    names.removeAll { $0 == "." }
    guard !names.isEmpty else { return nil }
    return Entry(names.joined(separator: "/"), isRelative: isRelative, title: title)
  }

  /// The text without the escapes of an address: `%20` is a space.
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
