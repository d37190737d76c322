import ScreenLayout
import ScreenPainter
import ScreenSamples

/// All states on one picture: each by night, some by day, and the sizes.
func writeSheet(to path: String) throws(PNGTrouble) {
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

  let (cell, gap, columns) = ((width: 400, height: 240), 24, 4)
  let rows = (shots.count + columns - 1) / columns
  let sheet = ContactSheet(
    width: columns * (cell.width + gap) + gap, height: rows * (cell.height + 28 + gap) + gap)
  for (index, (options, name)) in shots.enumerated() {
    let painter = Preview(options).painter
    let width = min(cell.width, cell.height * painter.size.width / painter.size.height)
    sheet.add(
      painter, named: name, x: gap + index % columns * (cell.width + gap),
      y: gap + index / columns * (cell.height + 28 + gap), width: width)
  }
  try sheet.writePNG(to: path)
}
