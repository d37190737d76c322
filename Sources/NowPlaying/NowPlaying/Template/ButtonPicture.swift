/// The shape of an image button (T3). The shape has no colours: each surface paints it in its own colours. The number
/// of bytes is limited, so that the shape fits into one message to a surface.
public struct ButtonPicture: Hashable, Sendable {
  /// The encoding of the shape.
  public enum Format: String, Hashable, Sendable {
    /// The value of the attribute `d` of an SVG path. The view box has 24 by 24 units.
    case svgPath
    /// A PNG file. The alpha channel of the file is the shape. In a file without alpha, the dark parts are the shape.
    case png
  }

  /// Maximum number of bytes. For comparison: a usual PNG file of 48 by 48 pixels has 2 KiB.
  public static let limit = 48 << 10

  /// The encoding of the bytes.
  public let format: Format
  /// The encoded shape, 1 to ``limit`` bytes. Only the code that draws the shape checks whether the bytes are valid.
  public let bytes: [UInt8]

  /// Creates a picture. Nil if `bytes` is empty or larger than ``limit``.
  public init?(_ format: Format, _ bytes: [UInt8]) {
    guard (1...Self.limit).contains(bytes.count) else { return nil }
    self.format = format
    self.bytes = bytes
  }
}

extension NowPlayingCenter {
  /// The picture of an image button of the primary session; nil if the source has set no picture with this name.
  public func buttonPicture(named name: String) -> ButtonPicture? {
    records.first { $0.id == arbitration.primary }?.template.pictures[name]
  }
}
