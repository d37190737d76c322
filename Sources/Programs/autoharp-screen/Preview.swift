import NowPlaying
import ScreenLayout
import ScreenPainter
import ScreenSamples

/// A painted sample state.
struct Preview {
  let painter: Painter
  let scene: Scene

  var text: String { SceneText.dump(scene) }

  init(_ options: PreviewOptions) {
    // The parser accepts only existing names.
    var sample = SampleScene.named(options.state) ?? SampleScene.all[0]
    if let language = options.language { sample = sample.translated(to: LanguageTag(language)) }
    var context = sample.context
    if options.size != nil || options.diagonal != nil {
      context.panel = Panel(
        size: options.size ?? context.panel.size, diagonalInches: options.diagonal)
    }
    context.appearance = options.appearance
    if let language = options.language { context.language = LanguageTag(language) }
    context.textScale = options.textScale
    self.init(sample, context)
  }

  init(_ sample: SampleScene, _ context: ScreenContext) {
    var context = context
    painter = Painter(
      size: context.panel.size, fonts: FontFamilies(language: context.language.description))
    for cover in sample.covers {
      let image = cover.image()
      painter.pictures.set(image, for: cover.rawValue)
      painter.pictures.setThumbnail(image, for: cover.rawValue)
    }
    // The picture of a harp (two strings and a bow), because the screen itself has no such icon.
    if let harp = try? SourcePicture(
      svgPath:
        "M4 20V4h2v12.5C14 15 17.5 11 18 4h2c-.5 9-6 14.5-14 15.6V20zM9 4h1.6v10H9zm4 0h1.6v7.5H13z"
    ) {
      painter.pictures.set(harp, named: "harp")
    }
    context.colors = Self.colors(of: sample, painter)
    scene = NowPlayingLayout.scene(sample.state, context, measure: painter.shaper)
    painter.show(scene)
  }

  /// The colours of the shown cover, or of the placeholder.
  private static func colors(of sample: SampleScene, _ painter: Painter) -> CoverColors {
    if let cover = sample.cover {
      return painter.pictures.colors(of: cover.rawValue) ?? .neutral
    }
    if sample.context.pairing != nil { return .neutral }
    let seed = sample.state.lines.detail ?? sample.state.lines.title ?? "empty"
    return CoverImage.placeholder(seed: seed, side: 64).colors
  }
}
