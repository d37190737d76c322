/// Vorbis comments: the tags of FLAC (RFC 9639, section 8.6) and Ogg Vorbis (Vorbis I specification, section 5). The
/// same name can occur several times. Upper and lower case are equal in names.
public struct VorbisComments: Equatable, Sendable {
  /// One `NAME=value`.
  public struct Entry: Equatable, Sendable {
    /// The name in upper-case ASCII.
    public let name: String
    /// The value, read as UTF-8. Invalid bytes are replaced by U+FFFD. The value can contain any character. A surface
    /// that draws the value removes the characters that would disturb the display.
    public let value: String

    /// Creates an entry. The name must be in upper case.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The software that wrote the file.
  public var vendor = ""
  /// The tags in the order of the file.
  public var entries: [Entry] = []
  /// Number of values that were cut or left out, because they exceed a limit.
  public var cutValues = 0

  /// Creates comments without tags.
  public init() {}

  /// The first value of `name` that is not empty.
  public func first(_ name: String) -> String? {
    entries.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// All values of `name` that are not empty, in order.
  public func all(_ name: String) -> [String] {
    entries.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
  }
}

extension UInt32 {
  init(littleEndian bytes: some Collection<UInt8>) {
    var shift = UInt32(0)
    self = 0
    for byte in bytes.prefix(4) {
      self |= UInt32(byte) << shift
      shift += 8
    }
  }

  init(bigEndian bytes: some Collection<UInt8>) {
    self = bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }
}
