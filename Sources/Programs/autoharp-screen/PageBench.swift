import NowPlaying
import ScreenLayout
import ScreenPainter
import ScreenSamples

/// Measures the way from Now Playing to a page and back, at 800 × 480: the layout and the paint of each. The first
/// visit makes the letters and icons of the page.
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
