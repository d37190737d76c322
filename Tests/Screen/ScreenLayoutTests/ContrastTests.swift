import ScreenLayout
import ScreenPainter
import ScreenSamples
import Testing

/// Computes the contrast of every text in every sample scene. Nothing is painted.
@Suite struct ContrastTests {
  /// The colours behind a text, at nine points of its rectangle. Each colour is the background, covered by the shapes
  /// that are drawn earlier than the text.
  private func grounds(_ scene: Scene, under order: Int) -> [RGB] {
    let frame = scene.elements[order].frame
    var result: [RGB] = []
    for x in [frame.x, frame.midX, frame.maxX - 1] {
      for y in [frame.y, frame.midY, frame.maxY - 1] {
        let point = PixelPoint(
          x: min(max(x, 0), scene.size.width - 1), y: min(max(y, 0), scene.size.height - 1))
        var color = scene.backdrop.color(x: point.x, y: point.y)
        for element in scene.elements[..<order] where element.frame.contains(point) {
          guard case .shape(let shape) = element.content, let fill = shape.fill else { continue }
          let paint = scene.palette[fill.role]
          color = color.covered(by: paint.rgb, opacity: min(1, paint.opacity * fill.opacity))
        }
        result.append(color)
      }
    }
    return result
  }

  /// The lowest contrast of all opaque texts, and a description of the text that has this contrast.
  private func worst(_ scene: Scene) -> (Double, String) {
    var worst = (21.0, "nothing")
    for (order, element) in scene.elements.enumerated() {
      guard case .text(let run) = element.content, run.paint.opacity == 1 else { continue }
      let ink = scene.palette[run.paint.role].rgb
      for ground in grounds(scene, under: order) {
        let contrast = ink.contrast(with: ground)
        if contrast < worst.0 { worst = (contrast, "\(element.id) \(ink) on \(ground)") }
      }
    }
    return worst
  }

  private static let covers = SampleCover.allCases.map { $0.image(side: 48).colors }

  @Test(arguments: SampleScene.all.map(\.name), Appearance.allCases)
  func everyText_onEveryCover_hasEnoughContrast(_ name: String, _ appearance: Appearance)
    throws
  {
    let sample = try #require(SampleScene.named(name))
    let combinations =
      Self.covers.map { (Screen.usual, $0) }
      + [Screen.small, .portrait, .wide].map { ($0, CoverColors.neutral) }
    for (screen, colors) in combinations {
      let (contrast, text) = worst(sample.scene(screen, appearance, colors: colors))
      #expect(contrast >= Palette.leastContrast, "\(screen) \(text)")
    }
  }

  @Test(arguments: Appearance.allCases)
  func anyCover_keepsTheContrastOfTexts(_ appearance: Appearance) throws {
    var random = SeededRandom(8)
    let samples = try ["playing", "albums", "sources", "library"].map {
      try #require(SampleScene.named($0))
    }
    for turn in 0..<240 {
      let sample = samples[turn % samples.count]
      let count = Int.random(in: 1...5, using: &random)
      let inks = (0..<count).map { _ in RGB(Int.random(in: 0...0xFFFFFF, using: &random)) }
      let pixels = (0..<64).map { _ in inks.randomElement(using: &random)! }  // Never empty.
      let (contrast, text) = worst(
        sample.scene(nil, appearance, colors: CoverColors(sample: pixels)))
      #expect(contrast >= Palette.leastContrast, "\(inks): \(text)")
    }
  }

  @Test func glyphs_haveEnoughContrast() {
    for colors in Self.covers {
      for appearance in Appearance.allCases {
        let palette = Palette(colors, appearance)
        #expect(palette[.onDisc].rgb.contrast(with: palette[.disc].rgb) >= 7)
        #expect(palette[.onAccent].rgb.contrast(with: palette[.accent].rgb) >= 4.5)
        #expect(palette[.warning].rgb.contrast(with: palette[.card].rgb) >= 4.5)
      }
    }
  }

  @Test func dayAndNight_differOnlyInColours() throws {
    for sample in SampleScene.all {
      let (night, day) = (sample.scene(nil, .night), sample.scene(nil, .day))
      #expect(night.hitAreas == day.hitAreas, "\(sample.name)")
      #expect(night.elements.map(\.frame) == day.elements.map(\.frame), "\(sample.name)")
    }
  }
}
