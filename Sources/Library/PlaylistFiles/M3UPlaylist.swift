internal import AudioCodecs
internal import Text

/// A playlist in the format M3U: one path in each line, and lines with `#` for comments.
public struct M3UPlaylist: Equatable, Sendable {
  /// An entry of a playlist.
  public struct Entry: Equatable, Sendable {
    /// The parts of the path, from the outermost folder to the file.
    public var parts: [String]
    /// True if the path begins at the folder of the playlist. False if it begins at a place that may not
    /// exist on this machine, such as `C:\`.
    public var isRelative: Bool
    /// The title in the line `#EXTINF` before the entry.
    public var title: String?

    /// Memberwise initializer.
    public init(parts: [String], isRelative: Bool, title: String? = nil) {
      self.parts = parts
      self.isRelative = isRelative
      self.title = title
    }
  }

  /// Larger files are not read.
  public static let maximumBytes = 4 << 20
  /// Further entries are left out.
  public static let maximumEntries = 10_000
  static let maximumLineBytes = 4096

  /// The title in the line `#PLAYLIST`.
  public var title: String?
  /// The entries, in order.
  public var entries: [Entry] = []
  /// Number of entries that were left out: addresses of the network, other playlists, lines that are too
  /// long, and entries beyond the largest number.
  public var leftOut = 0

  /// Reads the bytes of a file. A line that is no UTF-8 is read as Windows-1252, the character set of old
  /// programs.
  public init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    // Some programs write a byte order mark.
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    var entryTitle: String?
    for line in rest.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard line.count <= Self.maximumLineBytes else {
        leftOut += 1
        entryTitle = nil
        continue
      }
      let text = trimmed(Self.text(line))
      if text.isEmpty { continue }
      if text.hasPrefix("#") {
        readComment(text, &entryTitle)
        continue
      }
      add(text, title: entryTitle)
      entryTitle = nil
    }
  }

  /// The text of a line, and of the name of a file as a line has it.
  public static func text(_ bytes: some Collection<UInt8>) -> String {
    CodePage.western.string(bytes)
  }

  private mutating func readComment(_ text: String, _ entryTitle: inout String?) {
    if text.hasPrefix("#PLAYLIST:") {
      let value = trimmed(String(text.dropFirst("#PLAYLIST:".count)))
      if !value.isEmpty { title = value }
    } else if text.hasPrefix("#EXTINF:") {
      // `#EXTINF:123,Title`
      let parts = text.split(separator: ",", maxSplits: 1)
      entryTitle = parts.count == 2 ? trimmed(String(parts[1])) : nil
    }
  }

  private mutating func add(_ text: String, title: String?) {
    guard let entry = Self.entry(text, title: title), entries.count < Self.maximumEntries else {
      leftOut += 1
      return
    }
    entries.append(entry)
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
    var names = path.split { $0 == "/" || $0 == "\\" }.map(String.init)
    if path.hasPrefix("/") || path.hasPrefix("\\") { isRelative = false }
    // The letter of a drive.
    if let first = names.first, first.utf8.count == 2, first.hasSuffix(":") {
      isRelative = false
      names.removeFirst()
    }
    names.removeAll { $0 == "." }
    return names.isEmpty ? nil : Entry(parts: names, isRelative: isRelative, title: title)
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
