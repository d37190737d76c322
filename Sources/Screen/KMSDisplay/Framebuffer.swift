internal import Glibc
internal import ScreenDisplay
internal import ScreenLayout

/// The memory that a panel shows: rows of pixels. Each pixel has four bytes.
struct Framebuffer {
  let bytes: UnsafeMutableRawPointer
  /// The number of bytes from the start of one row to the start of the next row.
  let stride: Int
  /// The size of the panel, not of the rotated picture.
  let size: PixelSize
}

/// Rotates a part of a picture, and copies this part to its area on a panel.
///
/// The processor often does not cache the memory of a panel. So this function writes the memory in ascending order and
/// never reads it.
func copy(_ rect: PixelRect, of picture: Picture, to panel: Framebuffer, turned rotation: Rotation)
{
  let part = rect.intersection(PixelRect(picture.size))
  let area = rotation.onPanel(part, of: picture.size).intersection(PixelRect(panel.size))
  guard !area.isEmpty, let base = UnsafeRawPointer(picture.bytes.baseAddress) else { return }

  if rotation == .none {
    for y in area.y..<area.maxY {
      memcpy(
        panel.bytes + y * panel.stride + area.x * 4, base + y * picture.stride + area.x * 4,
        area.width * 4)
    }
    return
  }

  // The step in the picture, in bytes, for one pixel to the right on the panel.
  let step: Int
  switch rotation {
  case .none: step = 4
  case .around: step = -4
  case .right: step = -picture.stride
  case .left: step = picture.stride
  }
  // If the picture is turned by 90°, a row of the panel is a column of the picture. The next row of the panel then
  // needs the neighbours of the pixels that were just read. The copy works in narrow stripes, so that these neighbours
  // are still in the cache.
  let stripe = 16
  for left in stride(from: area.x, to: area.maxX, by: stripe) {
    let right = min(left + stripe, area.maxX)
    for y in area.y..<area.maxY {
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

/// The pixel of the picture that is shown at the pixel (x, y) of the panel.
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
