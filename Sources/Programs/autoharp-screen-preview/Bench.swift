import NowPlaying
import ScreenLayout
import ScreenOptions
import ScreenPainter
import ScreenSamples

/// Measures how long painting takes: the whole screen, only the layout, the change after one second, and the new
/// background for another cover. The program paints on one core, into an image in memory.
func runBench() {
  print("size         full paint        layout            a second          pixels   new cover")
  let sizes: [(Int, Int, Double)] = [
    (480, 320, 3.5), (800, 480, 7), (1024, 600, 7), (1280, 720, 10), (1280, 480, 8.8),
    (480, 800, 5),
  ]
  for (width, height, inches) in sizes {
    var options = PreviewOptions()
    options.picture.size = PixelSize(width: width, height: height)
    options.picture.diagonal = inches
    let sample = SampleScene.all[0]
    let preview = Preview(sample, options)
    let painter = preview.painter
    var context = sample.context
    context.panel = Panel(size: painter.size, diagonalInches: inches)
    context.colors = painter.pictures.colors(of: SampleCover.dusk.rawValue) ?? .neutral
    func scene() -> Scene {
      NowPlayingLayout.scene(sample.state, context, measure: painter.shaper)
    }
    let full = measured(200) { painter.paint(preview.scene, .everything(painter.size)) }
    let layout = measured(200) { _ = scene() }
    var pixels = 0
    let second = measured(100) {
      context.now = context.now.advanced(by: .seconds(1))
      pixels = max(pixels, painter.show(scene()).area)
    }
    let cover = SampleCover.tide.image()
    var isOther = false
    let change = measured(20) {
      isOther.toggle()
      context.colors = isOther ? cover.colors : .neutral
      painter.show(scene())
    }
    print(
      column("\(painter.size)", 13) + column(full, 18) + column(layout, 18) + column(second, 18)
        + column("\(pixels)", 9) + change)
  }
}

private func column(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}

/// Returns the median and the maximum duration of `count` runs. One run before the measurement fills the caches.
private func measured(_ count: Int, _ body: () -> Void) -> String {
  body()
  return median((0..<count).map { _ in milliseconds(body) })
}

/// Returns the median and the maximum as text.
private func median(_ times: [Double]) -> String {
  let times = times.sorted()
  return "\(short(times[times.count / 2])) (\(short(times[times.count - 1]))) ms"
}

/// The duration of one run in milliseconds.
private func milliseconds(_ body: () -> Void) -> Double {
  ContinuousClock().measure(body) / .milliseconds(1)
}

private func short(_ milliseconds: Double) -> String {
  let hundredths = Int((milliseconds * 100).rounded())
  return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
}

/// Measures the changes from Now Playing to a page and back, at 800 × 480 pixels: layout and painting together. The
/// first change to a page is measured separately, because it also renders the letters and icons of the page.
func runPageBench() {
  print("page              first             page              back")
  let pages = [
    "library", "letters", "artists", "albums", "album-page", "search", "sources", "settings",
  ]
  for name in pages {
    guard let sample = SampleScene.named(name), let playing = SampleScene.named("playing") else {
      continue
    }
    let painter = Preview(playing, playing.context).painter
    func show(_ sample: SampleScene) {
      var context = sample.context
      context.colors = painter.pictures.colors(of: SampleCover.dusk.rawValue) ?? .neutral
      painter.show(NowPlayingLayout.scene(sample.state, context, measure: painter.shaper))
    }
    show(playing)
    let first = milliseconds { show(sample) }
    var there: [Double] = []
    var back: [Double] = []
    for _ in 0..<100 {
      back.append(milliseconds { show(playing) })
      there.append(milliseconds { show(sample) })
    }
    print(
      column(name, 18) + column("\(short(first)) ms", 18) + column(median(there), 18)
        + median(back))
  }
}
