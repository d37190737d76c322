internal import Glibc
internal import ScreenDisplay
internal import ScreenLayout

/// Memory that a panel shows: rows of four bytes a pixel.
struct Framebuffer {
  let bytes: UnsafeMutableRawPointer
  /// Bytes from one row to the next.
  let stride: Int
  /// Of the panel.
  let size: PixelSize
}

/// Copies a part of a picture to where it is on a panel, turned on the way.
///
/// A panel's memory is often not cached, so it is written in its own order, and never read.
func copy(_ rect: PixelRect, of picture: Picture, to panel: Framebuffer, turned rotation: Rotation)
{
  let part = rect.intersection(PixelRect(picture.size))
  let place = rotation.onPanel(part, of: picture.size).intersection(PixelRect(panel.size))
  guard !place.isEmpty, let base = UnsafeRawPointer(picture.bytes.baseAddress) else { return }

  if rotation == .none {
    for y in place.y..<place.maxY {
      memcpy(
        panel.bytes + y * panel.stride + place.x * 4, base + y * picture.stride + place.x * 4,
        place.width * 4)
    }
    return
  }

  // Along a row of the panel the picture is walked through by so many bytes.
  let step: Int
  switch rotation {
  case .none: step = 4
  case .around: step = -4
  case .right: step = -picture.stride
  case .left: step = picture.stride
  }
  // In stripes: of a column, the neighbours that share a line of the cache are wanted next.
  let stripe = 16
  for left in stride(from: place.x, to: place.maxX, by: stripe) {
    let right = min(left + stripe, place.maxX)
    for y in place.y..<place.maxY {
      let source = origin(x: left, y: y, rotation, picture.size)
      var from = base + source.y * picture.stride + source.x * 4
      var to = panel.bytes + y * panel.stride + left * 4
      for _ in left..<right {
        to.storeBytes(of: from.load(as: UInt32.self), as: UInt32.self)
        from += step
        to += 4
      }
    }
  }
}

/// Which pixel of the picture is at a pixel of the panel.
private func origin(
  x: Int, y: Int, _ rotation: Rotation, _ picture: PixelSize
) -> (x: Int, y: Int) {
  switch rotation {
  case .none: (x, y)
  case .right: (y, picture.height - 1 - x)
  case .around: (picture.width - 1 - x, picture.height - 1 - y)
  case .left: (picture.width - 1 - y, x)
  }
}
