/// The list of the keys that work in a window on a desktop, as a scene. Only developers see this list, so its texts are
/// only in English.
public enum WindowKeysLayout {
  private static let keys = [
    ("Mouse", "the finger: press, hold, drag, swipe"),
    ("Arrow keys", "move the focus, as a knob with four directions"),
    ("Tab, Page Down", "turn the knob to the right"),
    ("Page Up", "turn the knob to the left"),
    ("Enter", "press the knob"),
    ("Esc", "go back"),
    ("?", "this list"),
  ]
  /// Sizes in units. A unit is a pixel in a window of 800 × 480.
  private static let margin = 32.0
  private static let title = 28.0
  private static let text = 20.0
  private static let pitch = 46.0

  /// Creates the scene of the list. Any key closes the list.
  public static func scene(_ panel: Panel, measure: any TextMeasuring) -> Scene {
    let palette = Palette(.neutral, .night)
    let screen = PixelRect(panel.size)
    // The smaller of the two factors is used, so that the list also fits into a narrow window.
    let unit = min(Double(screen.width) / 800, Double(screen.height) / 480)
    func pixels(_ units: Double) -> Int { Int((units * unit).rounded()) }
    var elements: [Element] = []
    func add(_ text: String, size: Double, _ role: ColorRole, x: Int, row: Double) {
      let style = TextStyle(size: pixels(size), weight: .semibold)
      let width = screen.width - x - pixels(margin)
      let baseline = pixels(margin + title + row * pitch)
      let overhang = max(1, style.size / 10)
      elements.append(
        Element(
          id: ElementID("key.\(elements.count)"),
          frame: PixelRect(
            x: x - overhang, y: baseline - style.ascent, width: width + 2 * overhang,
            height: style.ascent + style.descent),
          content: .text(
            TextRun(
              text: text, style: style, paint: Paint(role), baseline: baseline, pitch: 0, lines: 1,
              alignment: .left, layoutWidth: width, overhang: overhang)), block: nil))
    }
    add("The keys of this window", size: title, .text, x: pixels(margin), row: 0)
    for (number, (key, effect)) in keys.enumerated() {
      let row = Double(number) + 1.5
      add(key, size: text, .accent, x: pixels(margin), row: row)
      add(effect, size: text, .text, x: pixels(margin + 190), row: row)
    }
    let backdrop = Background(
      size: panel.size, start: palette.groundStart, end: palette.groundEnd, glow: palette.glow,
      glowCenter: PixelPoint(x: screen.midX, y: screen.midY), shadow: nil, isMirrored: false)
    return Scene(
      size: panel.size, palette: palette, backdrop: backdrop, elements: elements, firstFocus: nil,
      pageTurns: nil, hitAreas: [], scrubber: nil, swipeLeft: nil, swipeRight: nil)
  }
}
