internal import ScreenLayout

/// Paints a background pixel by pixel, once for each cover, with dithering. On a panel with six or eight bits per
/// channel, two dark tones differ by only a few steps. Without dithering, these steps would be visible as bands.
enum BackdropPainter {
  /// The distance between grid points, in pixels. The background is smooth, so its colours are computed only at the
  /// grid points and interpolated between them. A finer grid makes no visible difference, but needs more time for each
  /// new cover. During this time the screen does not react to a finger.
  private static let step = 8
  /// An ordered dither (Bayer 8 × 8). It depends only on the position of a pixel, so repainted parts match the other
  /// parts.
  private static let thresholds: [Int] = {
    let order = [
      0, 32, 8, 40, 2, 34, 10, 42, 48, 16, 56, 24, 50, 18, 58, 26,
      12, 44, 4, 36, 14, 46, 6, 38, 60, 28, 52, 20, 62, 30, 54, 22,
      3, 35, 11, 43, 1, 33, 9, 41, 51, 19, 59, 27, 49, 17, 57, 25,
      15, 47, 7, 39, 13, 45, 5, 37, 63, 31, 55, 23, 61, 29, 53, 21,
    ]
    return order.map { ($0 * 2 + 1) << (fraction - 7) }
  }()
  /// The number of fractional bits in the fixed-point value of a colour channel.
  private static let fraction = 16
  private static let channels = 3

  static func surface(_ backdrop: Background) -> Surface {
    let width = backdrop.size.width
    let height = backdrop.size.height
    let surface = Surface(.opaque, width: width, height: height)
    let columns = (width + step - 1) / step + 1
    var above = row(backdrop, y: 0, columns)
    surface.withBytes { bytes, stride in
      for top in Swift.stride(from: 0, to: height, by: step) {
        let below = row(backdrop, y: top + step, columns)
        for y in top..<min(top + step, height) {
          let between = zip(above, below).map { $0 + ($1 - $0) * (y - top) / step }
          for channel in 0..<channels {
            interpolate(between, channel, y, width, bytes.baseAddress! + y * stride)
          }
        }
        above = below
      }
    }
    return surface
  }

  /// The values for blue, green and red of the grid points in a row.
  private static func row(_ backdrop: Background, y: Int, _ columns: Int) -> [Int] {
    (0..<columns).flatMap { column in
      let color = backdrop.color(x: column * step, y: y)
      return [color.blue, color.green, color.red].map {
        Int($0 * Double(255 << fraction))
      }
    }
  }

  /// Interpolates one colour channel of a row. Uses integers and plain loops, because these are fast even in a debug
  /// build, and tests paint in a debug build.
  private static func interpolate(
    _ points: [Int], _ channel: Int, _ y: Int, _ width: Int, _ out: UnsafeMutablePointer<UInt8>
  ) {
    let highest = 255 << fraction
    thresholds.withUnsafeBufferPointer { thresholds in
      var point = channel
      var x = 0
      while x < width {
        var value = points[point]
        let slope = (points[point + channels] &- value) / step
        let end = min(x &+ step, width)
        while x < end {
          let dithered = value &+ thresholds[(y & 7) &* 8 &+ (x & 7)]
          out[x &* 4 &+ channel] = UInt8(truncatingIfNeeded: min(dithered, highest) >> fraction)
          value = value &+ slope
          x = x &+ 1
        }
        point = point &+ channels
      }
    }
  }
}
