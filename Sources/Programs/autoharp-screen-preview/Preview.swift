import Files
import NowPlaying
import Screen
import ScreenLayout
import ScreenOptions
import ScreenPainter
import ScreenSamples

/// Paints a sample state or a saved state of Now Playing.
struct Preview {
  let painter: Painter
  let scene: Scene

  /// The reason why a saved state cannot be painted.
  struct ReadError: Error, CustomStringConvertible {
    let description: String
  }

  /// Paints a sample state or a saved state.
  init(_ options: PreviewOptions) throws(ReadError) {
    if options.isFile {
      try self.init(file: options)
    } else {
      // The parser accepts only existing names.
      self.init(SampleScene.named(options.state) ?? SampleScene.all[0], options)
    }
  }

  init(_ sample: SampleScene, _ options: PreviewOptions) {
    let picture = options.picture
    let language = picture.language.map { LanguageTag($0) }
    let sample = language.map { sample.translated(to: $0) } ?? sample
    var context = sample.context
    if picture.size != nil || picture.diagonal != nil {
      context.panel = Panel(
        size: picture.size ?? context.panel.size, diagonalInches: picture.diagonal)
    }
    context.appearance = options.appearance
    if let language { context.language = language }
    context.textScale = picture.textScale
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
    // The picture of a harp (two strings and a bow) for a button of the source. The screen itself has no such icon.
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

  /// The colours of the cover that is shown, or of the placeholder.
  private static func colors(of sample: SampleScene, _ painter: Painter) -> CoverColors {
    if let cover = sample.cover {
      return painter.pictures.colors(of: cover.rawValue) ?? .neutral
    }
    if sample.context.pairing != nil { return .neutral }
    let seed = sample.state.lines.detail ?? sample.state.lines.title ?? "empty"
    return CoverImage.placeholder(seed: seed, side: 64).colors
  }

  /// Paints a saved state. It contains no covers, so the placeholder is painted.
  private init(file options: PreviewOptions) throws(ReadError) {
    guard let bytes = BoundedFile.read(options.state, atMost: SavedState.maximumBytes) else {
      throw ReadError(description: "\(options.state): the file cannot be read")
    }
    let saved: SavedState
    do throws(SavedState.ReadError) {
      saved = try SavedState(bytes)
    } catch {
      throw ReadError(description: "\(options.state): \(error.message)")
    }
    let picture = options.picture
    var model = ScreenModel(ScreenPreferences(), panel: picture.panel, at: saved.now)
    model.setPresent()
    model.receive(saved.state, at: saved.now)
    var context = model.context(panel: picture.panel, at: saved.now)
    context.appearance = options.appearance
    if let language = picture.language { context.language = LanguageTag(language) }
    context.textScale = picture.textScale
    let seed = NowPlayingLayout.placeholderSeed(saved.state, isAway: false)
    context.colors = CoverImage.placeholder(seed: seed, side: 64).colors
    painter = Painter(
      size: context.panel.size, fonts: FontFamilies(language: context.language.description))
    scene = NowPlayingLayout.scene(saved.state, context, measure: painter.shaper)
    painter.show(scene)
  }
}
