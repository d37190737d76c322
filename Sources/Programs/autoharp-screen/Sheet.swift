import ScreenLayout
import ScreenPainter
import ScreenSamples

/// All sample states in one picture: each state by night, some states by day, and one state in
/// several sizes.
func writeSheet(to path: String) throws(PNGError) {
  var shots: [(PreviewOptions, String)] = []
  for sample in SampleScene.all {
    shots.append((PreviewOptions(state: sample.name), sample.name))
  }
  for name in ["playing", "notice", "up-next", "interrupted", "pairing", "no-buttons"] {
    shots.append((PreviewOptions(state: name, appearance: .day), "\(name), day"))
  }
  let sizes: [(Int, Int, Double)] = [
    (1024, 600, 7), (1280, 720, 10), (1280, 480, 8.8), (480, 320, 3.5), (480, 800, 5),
  ]
  for (width, height, inches) in sizes {
    shots.append(
      (
        PreviewOptions(
          state: "playing", size: PixelSize(width: width, height: height), diagonal: inches),
        "\(width) × \(height), \(inches)″"
      ))
  }

  try write(shots, to: path, cell: (400, 240), columns: 4)
}

/// The most informative states in one picture, which is small enough for a page of the
/// documentation.
func writeOverview(to path: String) throws(PNGError) {
  let shots: [(PreviewOptions, String)] = [
    (PreviewOptions(state: "playing"), "playing"),
    (PreviewOptions(state: "playing", appearance: .day), "by day"),
    (PreviewOptions(state: "paused"), "spoken, paused"),
    (PreviewOptions(state: "live"), "live"),
    (PreviewOptions(state: "interrupted"), "a phone call"),
    (PreviewOptions(state: "no-artwork"), "no artwork"),
    (PreviewOptions(state: "notice", appearance: .day), "a notice"),
    (PreviewOptions(state: "volume"), "the volume"),
    (PreviewOptions(state: "up-next"), "up next"),
    (PreviewOptions(state: "pairing"), "a phone requests pairing"),
    (PreviewOptions(state: "nothing"), "nothing plays"),
    (PreviewOptions(state: "arabic"), "mirrored for Arabic"),
    (PreviewOptions(state: "japanese"), "every script"),
    (PreviewOptions(state: "source-buttons"), "a source’s own buttons"),
    (
      PreviewOptions(
        state: "long-title", size: PixelSize(width: 480, height: 320), diagonal: 3.5),
      "480 × 320 on 3.5 inches"
    ),
    (
      PreviewOptions(
        state: "no-buttons", size: PixelSize(width: 1280, height: 480), diagonal: 8.8),
      "1280 × 480"
    ),
  ]
  try write(shots, to: path, cell: (304, 182), columns: 4)
}

private func write(
  _ shots: [(PreviewOptions, String)], to path: String, cell: (width: Int, height: Int),
  columns: Int
) throws(PNGError) {
  let gap = 20
  let label = 28
  let rows = (shots.count + columns - 1) / columns
  let sheet = ContactSheet(
    width: columns * (cell.width + gap) + gap, height: rows * (cell.height + label + gap) + gap)
  for (index, (options, name)) in shots.enumerated() {
    let painter = Preview(options).painter
    let width = min(cell.width, cell.height * painter.size.width / painter.size.height)
    sheet.add(
      painter, named: name, x: gap + index % columns * (cell.width + gap),
      y: gap + index / columns * (cell.height + label + gap), width: width)
  }
  try sheet.writePNG(to: path)
}
