package import ScreenLayout

/// The rotation of a picture on its panel, in degrees clockwise.
package enum Rotation: Int, Hashable, Sendable, CaseIterable {
  case none = 0
  case right = 90
  case around = 180
  case left = 270

  /// Converts the size of a picture to the size of its panel, or the size of a panel to the size of its picture.
  package func turned(_ size: PixelSize) -> PixelSize {
    switch self {
    case .none, .around: size
    case .right, .left: PixelSize(width: size.height, height: size.width)
    }
  }

  /// The rectangle on the panel for a rectangle of a picture.
  /// - Parameter picture: the size of the picture.
  package func onPanel(_ rect: PixelRect, of picture: PixelSize) -> PixelRect {
    switch self {
    case .none:
      rect
    case .right:
      PixelRect(
        x: picture.height - rect.maxY, y: rect.x, width: rect.height, height: rect.width)
    case .around:
      PixelRect(
        x: picture.width - rect.maxX, y: picture.height - rect.maxY, width: rect.width,
        height: rect.height)
    case .left:
      PixelRect(x: rect.y, y: picture.width - rect.maxX, width: rect.height, height: rect.width)
    }
  }

  /// The position in the picture for a position on the panel. Both positions are fractions of width and height, 0 … 1.
  /// So a touch screen can have another resolution than the panel.
  package func inPicture(x: Double, y: Double) -> (x: Double, y: Double) {
    switch self {
    case .none: (x, y)
    case .right: (y, 1 - x)
    case .around: (1 - x, 1 - y)
    case .left: (1 - y, x)
    }
  }
}
