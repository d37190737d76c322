internal import ScreenLayout

/// Paints a backdrop pixel by pixel, once for a cover, and dithers it: between two dark tones lie
/// only a few steps of a panel with six or eight bits, and without dithering they are seen as bands.
enum BackdropPainter {
  /// The ground is smooth, so it is computed on a grid and interpolated.
  private static let step = 4
  /// An ordered dither (Bayer 8 × 8): the same for the same pixel, so that repainted parts join.
  private static let thresholds: [Float] = {
    let order: [UInt8] = [
      0, 32, 8, 40, 2, 34, 10, 42, 48, 16, 56, 24, 50, 18, 58, 26,
      12, 44, 4, 36, 14, 46, 6, 38, 60, 28, 52, 20, 62, 30, 54, 22,
      3, 35, 11, 43, 1, 33, 9, 41, 51, 19, 59, 27, 49, 17, 57, 25,
      15, 47, 7, 39, 13, 45, 5, 37, 63, 31, 55, 23, 61, 29, 53, 21,
    ]
    return order.map { (Float($0) + 0.5) / 64 }
  }()

  static func surface(_ backdrop: Backdrop) -> Surface {
    let width = backdrop.size.width
    let height = backdrop.size.height
    let surface = Surface(.opaque, width: width, height: height)
    let columns = (width + step - 1) / step + 1
    var above = row(backdrop, y: 0, columns)
    surface.withBytes { bytes, stride in
      for top in Swift.stride(from: 0, to: height, by: step) {
        let below = row(backdrop, y: top + step, columns)
        for y in top..<min(top + step, height) {
          let down = Float(y - top) / Float(step)
          let out = UnsafeMutableBufferPointer(rebasing: bytes[(y * stride)..<((y + 1) * stride)])
          above.withUnsafeBufferPointer { above in
            below.withUnsafeBufferPointer { below in
              interpolate(above, below, down, y, width, out)
            }
          }
        }
        above = below
      }
    }
    return surface
  }

  /// Blue, green, red of the grid's points, 0 … 255.
  private static func row(_ backdrop: Backdrop, y: Int, _ columns: Int) -> [SIMD4<Float>] {
    (0..<columns).map { column in
      let color = backdrop.color(x: column * step, y: y)
      return SIMD4(Float(color.blue), Float(color.green), Float(color.red), 1) * 255
    }
  }

  private static func interpolate(
    _ above: UnsafeBufferPointer<SIMD4<Float>>, _ below: UnsafeBufferPointer<SIMD4<Float>>,
    _ down: Float, _ y: Int, _ width: Int, _ out: UnsafeMutableBufferPointer<UInt8>
  ) {
    for column in 0..<(above.count - 1) {
      let left = above[column] + (below[column] - above[column]) * down
      let right = above[column + 1] + (below[column + 1] - above[column + 1]) * down
      let slope = (right - left) / Float(step)
      for x in (column * step)..<min(column * step + step, width) {
        let value =
          left + slope * Float(x - column * step)
          + SIMD4(repeating: thresholds[(y & 7) * 8 + (x & 7)])
        let pixel = SIMD4<UInt8>(
          truncatingIfNeeded: SIMD4<Int32>(
            value.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))))
        out[x * 4] = pixel.x
        out[x * 4 + 1] = pixel.y
        out[x * 4 + 2] = pixel.z
        out[x * 4 + 3] = 255
      }
    }
  }
}
