/// What an image button looks like (T3): only the shape counts, as surfaces paint it in their colours.
/// Its bounds let it travel to a surface in one message.
public struct ButtonPicture: Hashable, Sendable {
  /// How the shape is written.
  public enum Format: String, Hashable, Sendable {
    /// The attribute `d` of an SVG's path, in a box of 24 units.
    case svgPath
    /// A PNG file: its alpha, or its darkness where it has none.
    case png
  }

  /// Bytes of a picture; 48 pixels square take two KiB.
  public static let limit = 48 << 10

  /// How the bytes are to be read.
  public let format: Format
  /// At most ``limit``. Whoever draws it looks whether they are what they should be.
  public let bytes: [UInt8]

  /// Nil for what is empty, or larger than ``limit``.
  public init?(_ format: Format, _ bytes: [UInt8]) {
    guard (1...Self.limit).contains(bytes.count) else { return nil }
    self.format = format
    self.bytes = bytes
  }
}

extension NowPlayingCenter {
  /// What an image button of what is Now Playing looks like; nil where its source has not said.
  public func buttonPicture(named name: String) -> ButtonPicture? {
    records.first { $0.id == arbitration.primary }?.template.pictures[name]
  }
}
