import Text

/// A progress bar of block characters.
enum ProgressBar {
  /// Returns a bar of `cells` columns, filled to `fraction` in steps of an eighth of a column. Fractions are clamped to
  /// 0…1. For NaN, the bar is empty.
  static func text(fraction: Double, cells: Int) -> String {
    guard cells > 0 else { return "" }
    let fraction = fraction > 0 ? min(fraction, 1) : 0
    let (full, eighths) = Int(fraction * Double(cells * 8)).quotientAndRemainder(dividingBy: 8)
    let edge = eighths == 0 ? "" : ["▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths - 1]
    return TextWidth.padded(String(repeating: "█", count: full) + edge, to: cells)
  }
}
