internal import Glibc
internal import ScreenLayout
public import ScreenPainter

/// Covers of albums that do not exist. They are computed pixel by pixel, for previews, tests and benchmarks.
public enum SampleCover: String, CaseIterable, Sendable {
  case dusk, tide, arcs, tiles, fern, rings

  /// Computes the picture of the cover. Each call takes tens of milliseconds.
  public func image(side: Int = 480) -> CoverImage {
    switch self {
    case .dusk: CoverImage(side: side, color: Self.dusk)
    case .tide: CoverImage(side: side, color: Self.tide)
    case .arcs: CoverImage(side: side, color: Self.arcs)
    case .tiles: CoverImage(side: side, color: Self.tiles)
    case .fern: CoverImage(side: side, color: Self.fern)
    case .rings: CoverImage(side: side, color: Self.rings)
    }
  }

  // MARK: Mixing

  /// Half of the width of the soft edge of a shape, as a fraction of the side of the cover. It is about one pixel of a
  /// cover that is 480 pixels wide.
  private static let edge = 0.002

  /// The opacity of a shape at `distance` from its outline. It is 1 inside (negative distance), and 0 outside.
  private static func inside(_ distance: Double) -> Double {
    min(max(0.5 - distance / edge / 2, 0), 1)
  }

  private static func mix(_ stops: [(Double, Int)], _ at: Double) -> RGB {
    guard let first = stops.first, at > first.0 else { return RGB(stops[0].1) }
    for (low, high) in zip(stops, stops.dropFirst()) where at <= high.0 {
      return RGB(low.1).covered(by: RGB(high.1), opacity: (at - low.0) / (high.0 - low.0))
    }
    return RGB(stops[stops.count - 1].1)
  }

  private static func glow(_ x: Double, _ y: Double, _ radius: Double) -> Double {
    max(0, 1 - hypot(x, y) / radius)
  }

  // MARK: Covers

  private static func dusk(_ x: Double, _ y: Double) -> RGB {
    var color = mix(
      [(0, 0x2B1B55), (0.38, 0x8A2F6B), (0.62, 0xE8614F), (0.8, 0xF7A35C), (1, 0xFBD08A)], y)
    color = color.covered(by: RGB(0xFFD9A0), opacity: 0.75 * glow(x - 0.62, y - 0.58, 0.42))
    let sun = mix([(0.38, 0xFFF1CF), (0.74, 0xFFB46B)], y)
    color = color.covered(by: sun, opacity: inside(hypot(x - 0.62, y - 0.56) - 0.17))
    let hills: [(Int, Int, Double, Double, Double)] = [
      (0xC24A5C, 0xA43A5E, 0.4, 0.042, 5.5), (0x7D2D63, 0x62265E, 2.1, 0.054, 4.7),
      (0x44205A, 0x331A4E, 4.4, 0.046, 6.2), (0x1F1440, 0x150E30, 1.1, 0.036, 5.0),
    ]
    for (index, hill) in hills.enumerated() {
      let top =
        0.61 + Double(index) * 0.095 + hill.3 * sin(x * hill.4 * 1.6 + hill.2)
        + hill.3 * 0.4 * sin(x * hill.4 * 3.7 + hill.2 * 2)
      color = color.covered(
        by: mix([(top, hill.0), (1, hill.1)], y), opacity: inside(top - y))
    }
    return color
  }

  private static func tide(_ x: Double, _ y: Double) -> RGB {
    var color = mix([(0, 0x06283D), (0.5, 0x0B5D6E), (1, 0x12B0A0)], y * 0.92 + x * 0.08)
    color = color.covered(by: RGB(0x8FE3D0), opacity: 0.55 * glow(x - 0.8, y - 0.14, 0.6))
    for line in 0..<26 {
      let part = Double(line) / 25
      let bell = exp(-pow((x - 0.46 - 0.1 * sin(Double(line) * 0.33)) * 100, 2) / 620)
      let wave =
        0.08 + Double(line) * 0.039
        - bell * (0.11 + 0.05 * sin(Double(line) * 0.7)) * (0.35 + 0.9 * part)
        + 0.012 * sin(x * 9 + Double(line) * 0.5)
      let water = RGB(0x0A4A5E).covered(by: RGB(0x0FA596), opacity: part)
      color = color.covered(by: water, opacity: 0.5 * inside(wave - y))
      color = color.covered(
        by: RGB(0xD8FFF3), opacity: (0.16 + 0.5 * part) * inside((y - wave).magnitude - 0.0022))
    }
    return color
  }

  private static func arcs(_ x: Double, _ y: Double) -> RGB {
    var color = mix([(0, 0xFFF0DC), (1, 0xF8D3AE)], (x + y) / 2)
    let bands = [0xF6B26B, 0xEE8A4A, 0xDD5F3C, 0xB83F3F, 0x7F2B45, 0x4A1F42, 0x251638]
    for (index, band) in bands.enumerated() {
      let radius = 0.92 - Double(index) * 0.126
      color = color.covered(by: RGB(band), opacity: inside(hypot(x - 0.22, y - 1.04) - radius))
    }
    return color.covered(by: RGB(0xDD5F3C), opacity: inside(hypot(x - 0.76, y - 0.24) - 0.085))
  }

  private static func tiles(_ x: Double, _ y: Double) -> RGB {
    let inks = [0x0F3D4C, 0x1F7A7A, 0xF2E3C6, 0xE9A23B, 0xD9573F, 0x123047]
    // Each tile has four numbers: the background colour, the ink colour, the number of quarter turns, and the kind of
    // the ornament. Kind 0 is a quarter disc, kind 1 is two half discs, and kind 2 is a ring.
    let grid = [
      (1, 2, 0, 0), (3, 1, 1, 1), (0, 2, 2, 0), (4, 0, 3, 1), (2, 0, 0, 2), (0, 3, 1, 0),
      (1, 2, 3, 1), (5, 1, 2, 0), (4, 2, 1, 1), (1, 0, 0, 0), (2, 4, 2, 2), (0, 1, 3, 0),
      (5, 3, 0, 1), (2, 1, 1, 0), (0, 2, 2, 1), (3, 0, 3, 0),
    ]
    let column = min(3, Int(x * 4))
    let row = min(3, Int(y * 4))
    let tile = grid[row * 4 + column]
    var (u, v) = (x * 4 - Double(column), y * 4 - Double(row))
    for _ in 0..<tile.2 { (u, v) = (v, 1 - u) }
    let (ground, ink) = (RGB(inks[tile.0]), RGB(inks[tile.1]))
    switch tile.3 {
    case 0: return ground.covered(by: ink, opacity: inside((hypot(u, v) - 1) / 4))
    case 1:
      let nearest = min(hypot(u - 0.5, v), hypot(u - 0.5, v - 1))
      return ground.covered(by: ink, opacity: inside((nearest - 0.5) / 4))
    default:
      let distance = hypot(u - 0.5, v - 0.5)
      return ground.covered(by: ink, opacity: inside((distance - 0.34) / 4))
        .covered(by: ground, opacity: inside((distance - 0.15) / 4))
    }
  }

  private static func fern(_ x: Double, _ y: Double) -> RGB {
    var color = mix([(0, 0xDFE9D8), (1, 0x9FC3A4)], y)
    let discs = [
      (0xF4D06F, 0.70, 0.30, 0.20), (0x2F5D50, 0.26, 0.82, 0.34), (0x4F8A6D, 0.64, 0.92, 0.30),
      (0x1D3A3A, 0.92, 0.96, 0.28),
    ]
    for disc in discs {
      color = color.covered(
        by: RGB(disc.0), opacity: inside(hypot(x - disc.1, y - disc.2) - disc.3))
    }
    let plants = [
      (0.30, 0.86, 0.22, 0x2F6B57), (0.46, 0.92, 0.40, 0xE07A5F), (0.16, 0.90, 0.50, 0x3B7F66),
    ]
    for plant in plants {
      if y > plant.2, y < plant.1 {
        color = color.covered(by: RGB(0x183533), opacity: inside((x - plant.0).magnitude - 0.006))
      }
      for leaf in 0..<6 {
        let part = Double(leaf) / 5
        let middle = plant.2 + (plant.1 - plant.2) * 0.62 * part
        let long = 0.05 + 0.022 * part
        for side in [-1.0, 1] {
          let (dx, dy) = (x - plant.0 - side * long * 0.8, y - middle + long * 0.7)
          let along = dx * side * 0.7 - dy * 0.7
          let across = dx * side * 0.7 + dy * 0.7
          let leafEdge = (hypot(along, across / 0.38) - long) * 0.38
          color = color.covered(by: RGB(plant.3), opacity: inside(leafEdge))
        }
      }
    }
    return color
  }

  private static func rings(_ x: Double, _ y: Double) -> RGB {
    var color = mix([(0, 0x12204F), (0.6, 0x1B3F9C), (1, 0x4D7DF0)], (x + y) / 2)
    color = color.covered(by: RGB(0xFF6B8A), opacity: 0.55 * glow(x - 0.74, y - 0.3, 0.7))
    let angle = atan2(y - 0.5, x - 0.5)
    for ring in 0..<9 {
      let number = Double(ring)
      let (from, to) = (-2.5 + number * 0.22, 0.9 + number * 0.2)
      guard angle > from, angle < to else { continue }
      let distance = (hypot(x - 0.5, y - 0.5) - 0.09 - number * 0.086).magnitude
      color = color.covered(
        by: .white,
        opacity: (0.9 - 0.085 * number) * inside(distance - (0.0075 + 0.0008 * number)))
    }
    return color.covered(by: RGB(0xFFE3EA), opacity: inside(hypot(x - 0.5, y - 0.5) - 0.046))
  }
}
