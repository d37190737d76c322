/// The shape of an image button (T3). It has no colours: each surface paints it in its own colours.
/// Its size is limited, so that it fits into one message to a surface.
public struct ButtonPicture: Hashable, Sendable {
  /// The encoding of the shape.
  public enum Format: String, Hashable, Sendable {
    /// The attribute `d` of an SVG path, in a box of 24 units.
    case svgPath
    /// A PNG file. The alpha channel of the file is the shape. In a file without alpha, the dark
    /// parts are the shape.
    case png
  }

  /// Maximum number of bytes. A picture of 48 by 48 pixels takes two KiB.
  public static let limit = 48 << 10

  /// The encoding of the bytes.
  public let format: Format
  /// At most ``limit`` bytes. They are not checked here: the code that draws the shape checks them.
  public let bytes: [UInt8]

  /// Nil if `bytes` is empty or larger than ``limit``.
  public init?(_ format: Format, _ bytes: [UInt8]) {
    guard (1...Self.limit).contains(bytes.count) else { return nil }
    self.format = format
    self.bytes = bytes
  }
}

extension NowPlayingCenter {
  /// The picture of an image button of the primary session; nil if its source has not set one.
  public func buttonPicture(named name: String) -> ButtonPicture? {
    records.first { $0.id == arbitration.primary }?.template.pictures[name]
  }
}
