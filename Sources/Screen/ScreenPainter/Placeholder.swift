internal import CPango
internal import ScreenLayout

/// The picture that is shown if there is no cover: a close view of an autoharp, with strings, chord bars and the sound
/// hole. The seed selects one of eight hues, the plucked strings, the positions of the felts on the chord bars, and the
/// felt that is highlighted. So different albums have different pictures.
enum Placeholder {
  /// The hues in degrees. Dark yellow is missing because it looks dirty.
  private static let hues = [285.0, 255, 225, 195, 165, 350, 20, 325]

  /// Computes the hash FNV-1a of the seed, with a final mix. The hash is the same on every machine, so the same album
  /// has the same picture.
  private static func hash(_ seed: String) -> UInt64 {
    var bits: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in seed.utf8 { bits = (bits ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    bits = (bits ^ (bits >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    return bits ^ (bits >> 33)
  }

  static func surface(seed: String, side: Int) -> Surface {
    let bits = hash(seed)
    func part(_ place: Int, _ count: Int) -> Int { Int((bits >> UInt64(place * 8)) & 255) % count }
    let hue = hues[part(0, 8)] * .pi / 180
    func tone(_ lightness: Double, _ chroma: Double, _ shift: Double = 0) -> RGB {
      OKLab(lightness: lightness, chroma: chroma, hue: hue + shift).rgb
    }
    let surface = Surface(.opaque, width: side, height: side)
    surface.draw { context in
      context.scale(Double(side) / 100, Double(side) / 100)
      ground(context, tone)
      context.translate(50, 50)
      context.rotate(-0.42)
      context.translate(-50, -50)
      soundHole(context, tone)
      strings(context, tone, plucked: [4 + part(1, 4), 10 + part(2, 4)])
      chordBars(context, tone, height: part(3, 5), hot: part(4, 3))
    }
    return surface
  }

  private typealias Tone = (Double, Double, Double) -> RGB

  private static func ground(_ context: DrawingContext, _ tone: Tone) {
    let gradient = cairo_pattern_create_linear(10, 0, 80, 100)
    for offset in [0, 0.5, 1] {
      let color = tone(0.46 - 0.24 * offset, 0.085 - 0.03 * offset, 0.35 * offset)
      cairo_pattern_add_color_stop_rgb(gradient, offset, color.red, color.green, color.blue)
    }
    cairo_set_source(context.cairo, gradient)
    cairo_paint(context.cairo)
    cairo_pattern_destroy(gradient)
  }

  private static func soundHole(_ context: DrawingContext, _ tone: Tone) {
    let (x, y, radius) = (66.0, 34.0, 17.0)
    let deep = tone(0.17, 0.05, 0.3)
    let gradient = cairo_pattern_create_radial(x + 2, y + 3, 2, x, y, radius)
    cairo_pattern_add_color_stop_rgba(gradient, 0, deep.red, deep.green, deep.blue, 0.95)
    cairo_pattern_add_color_stop_rgba(gradient, 1, deep.red, deep.green, deep.blue, 0.62)
    cairo_set_source(context.cairo, gradient)
    context.circle(x, y, radius)
    context.fill()
    cairo_pattern_destroy(gradient)
    for (distance, opacity, width) in [(2.2, 0.5, 0.7), (4.4, 0.22, 0.5)] {
      context.circle(x, y, radius + distance)
      context.color(tone(0.95, 0.025, 0), opacity)
      context.stroke(width)
    }
  }

  /// Seventeen strings, from the thick low strings to the thin high strings. Two strings are plucked.
  private static func strings(_ context: DrawingContext, _ tone: Tone, plucked: Set<Int>) {
    let count = 17
    let hot = tone(0.84, 0.12, 2.5)
    for string in 0..<count {
      let y = 2 + Double(string) * 6
      let part = Double(string) / Double(count - 1)
      if plucked.contains(string) {
        for (swing, opacity) in [(2.6, 0.16), (1.5, 0.30)] {
          context.move(-30, y)
          context.curve(20, y - swing, 66, y - swing, 130, y)
          context.curve(66, y + swing, 20, y + swing, -30, y)
          context.color(hot, opacity)
          context.fill()
        }
        context.color(hot)
        context.polyline((-30, y), (130, y))
        context.stroke(0.62)
      } else {
        context.color(tone(0.95, 0.025, 0), 0.58 - 0.20 * part)
        context.polyline((-30, y), (130, y))
        context.stroke(0.85 - 0.45 * part)
      }
    }
  }

  private static func chordBars(_ context: DrawingContext, _ tone: Tone, height: Int, hot: Int) {
    for (bar, x) in [13, 23.5, 34].enumerated() {
      func slab(_ x: Double, _ width: Double) { context.roundedRect(x, -30, width, 160, 0) }
      slab(x + 0.9, 7)
      context.color(.black, 0.20)
      context.fill()
      slab(x, 7)
      context.color(tone(0.345 - 0.03 * Double(bar), 0.06, 0.15))
      context.fill()
      slab(x, 0.5)
      context.color(.white, 0.16)
      context.fill()
      context.roundedRect(x + 1.3, 26 + Double((height + bar * 2) % 5) * 13.5, 4.4, 9, 2.2)
      context.color(bar == hot ? tone(0.84, 0.12, 2.5) : tone(0.95, 0.025, 0))
      context.fill()
    }
  }
}
