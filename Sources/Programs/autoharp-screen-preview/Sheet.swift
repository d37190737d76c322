import ScreenLayout
import ScreenOptions
import ScreenPainter
import ScreenSamples

/// A sample state with a label below it.
private struct Shot {
  let label: String
  var options: PreviewOptions

  /// - Parameter panel: the width and the height in pixels, and the diagonal in inches. Nil for the panel of the sample
  ///   state.
  init(
    _ state: String, _ label: String? = nil, _ appearance: Appearance = .night,
    panel: (width: Int, height: Int, inches: Double)? = nil
  ) {
    self.label = label ?? state
    options = PreviewOptions(state: state, appearance: appearance)
    guard let panel else { return }
    options.picture.size = PixelSize(width: panel.width, height: panel.height)
    options.picture.diagonal = panel.inches
  }
}

/// Writes a picture of all sample states: each state in night colours, some states in day colours, and one state in
/// several sizes.
func writeSheet(to path: String) throws {
  let nights = SampleScene.all.map { Shot($0.name) }
  let days = ["playing", "notice", "up-next", "interrupted", "pairing", "no-buttons"].map {
    Shot($0, "\($0), day", .day)
  }
  let sizes: [(Int, Int, Double)] = [
    (1024, 600, 7), (1280, 720, 10), (1280, 480, 8.8), (480, 320, 3.5), (480, 800, 5),
  ]
  let panels = sizes.map { Shot("playing", "\($0.0) × \($0.1), \($0.2)″", panel: $0) }
  try write(nights + days + panels, to: path, cell: (400, 240), columns: 4)
}

/// Writes a picture of the most informative states. It is small enough for a page of the documentation.
func writeOverview(to path: String) throws {
  let shots = [
    Shot("playing"),
    Shot("playing", "by day", .day),
    Shot("paused", "spoken, paused"),
    Shot("live"),
    Shot("interrupted", "a phone call"),
    Shot("no-artwork", "no artwork"),
    Shot("notice", "a notice", .day),
    Shot("volume", "the volume"),
    Shot("up-next", "up next"),
    Shot("pairing", "a phone requests pairing"),
    Shot("nothing", "nothing plays"),
    Shot("arabic", "mirrored for Arabic"),
    Shot("japanese", "every script"),
    Shot("source-buttons", "a source’s own buttons"),
    Shot("long-title", "480 × 320 on 3.5 inches", panel: (480, 320, 3.5)),
    Shot("no-buttons", "1280 × 480", panel: (1280, 480, 8.8)),
  ]
  try write(shots, to: path, cell: (304, 182), columns: 4)
}

private func write(
  _ shots: [Shot], to path: String, cell: (width: Int, height: Int), columns: Int
) throws {
  let gap = 20
  let label = 28
  let rows = (shots.count + columns - 1) / columns
  let sheet = ContactSheet(
    width: columns * (cell.width + gap) + gap, height: rows * (cell.height + label + gap) + gap)
  for (index, shot) in shots.enumerated() {
    let painter = try Preview(shot.options).painter
    let width = min(cell.width, cell.height * painter.size.width / painter.size.height)
    sheet.add(
      painter, named: shot.label, x: gap + index % columns * (cell.width + gap),
      y: gap + index / columns * (cell.height + label + gap), width: width)
  }
  try sheet.writePNG(to: path)
}
