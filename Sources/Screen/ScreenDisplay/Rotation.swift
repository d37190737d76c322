package import ScreenLayout

/// How a picture is turned on its panel: by so many degrees, clockwise.
package enum Rotation: Int, Hashable, Sendable, CaseIterable {
  case none = 0
  case right = 90
  case around = 180
  case left = 270

  /// Of the picture, on a panel of that size; and the other way round.
  package func turned(_ size: PixelSize) -> PixelSize {
    switch self {
    case .none, .around: size
    case .right, .left: PixelSize(width: size.height, height: size.width)
    }
  }

  /// Where a rectangle of a picture lies on the panel.
  /// - Parameter picture: the picture's size.
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

  /// Which place of the picture is at a place of the panel. Both in parts of their width and height,
  /// 0 … 1: so a touch screen's own raster needs not be the panel's.
  package func inPicture(x: Double, y: Double) -> (x: Double, y: Double) {
    switch self {
    case .none: (x, y)
    case .right: (y, 1 - x)
    case .around: (1 - x, 1 - y)
    case .left: (1 - y, x)
    }
  }
}
