internal import CPango
internal import ScreenLayout

/// Icons as masks. Each icon is drawn once for each size. A mask can be painted in any colour.
struct IconCache {
  private struct Key: Hashable {
    let symbol: Symbol
    let label: String?
    let isMirrored: Bool
    let side: Int
  }

  /// The greatest number of masks in the cache. This number is enough for all icons in two sizes.
  private static let kept = 200
  private var masks: [Key: Surface] = [:]
  private let numbers = TextShaper()

  mutating func mask(_ symbol: Symbol, label: String?, isMirrored: Bool, side: Int) -> Surface {
    let key = Key(symbol: symbol, label: label, isMirrored: isMirrored, side: side)
    if let found = masks[key] { return found }
    if masks.count >= Self.kept { masks.removeAll() }
    let mask = Surface(.mask, width: side, height: side)
    mask.draw { context in
      context.color(.white)
      context.saved {
        context.scale(Double(side) / 24, Double(side) / 24)
        if isMirrored {
          IconDrawing.mirrored(context) { IconDrawing.draw(symbol, context) }
        } else {
          IconDrawing.draw(symbol, context)
        }
      }
      if let label { write(label, context, side) }
    }
    masks[key] = mask
    return mask
  }

  /// Writes the seconds into the ring of a skip icon.
  private func write(_ label: String, _ context: DrawingContext, _ side: Int) {
    let style = TextStyle(
      size: max(6, side / 3), weight: .bold, hasTabularDigits: true)
    let layout = numbers.layout(TextShaper.Key(text: label, style: style, width: -1, lines: 1))
    let width = layout.widths.first ?? 0
    // The icon is drawn in a box of 24 units. The centre of the ring is one unit below the centre of this box.
    let middle = Double(side) * 13 / 24
    context.move((Double(side) - width) / 2, middle + Double(style.capHeight) / 2)
    pango_cairo_show_layout_line(context.cairo, pango_layout_get_line_readonly(layout.pointer, 0))
  }
}
