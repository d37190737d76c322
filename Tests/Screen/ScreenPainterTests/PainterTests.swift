import Foundation
import NowPlaying
import ScreenLayout
import ScreenSamples
import TestKit
import Testing

@testable import ScreenPainter

@Suite struct PainterTests {
  // MARK: Reference pictures

  struct Shot: Sendable, CustomStringConvertible {
    let state: String
    var appearance = Appearance.night
    var size = PixelSize(width: 800, height: 480)
    /// If nil, the language of the sample is used.
    var language: LanguageTag?
    /// Fonts that the picture needs in addition to Inter.
    var fonts: [String] = []

    var description: String {
      let suffix = language.map { "-\($0)" } ?? ""
      return "\(state)-\(appearance.rawValue)-\(size.width)x\(size.height)\(suffix)"
    }
  }

  private static let shots = [
    Shot(state: "playing"), Shot(state: "playing", appearance: .day), Shot(state: "pairing"),
    Shot(state: "up-next", appearance: .day), Shot(state: "no-artwork"), Shot(state: "notice"),
    Shot(state: "playing", size: PixelSize(width: 480, height: 320)),
    Shot(state: "nothing"),
    Shot(state: "arabic", fonts: ["Noto Sans Arabic"]),
    Shot(state: "hebrew", fonts: ["Noto Sans Hebrew"]),
    Shot(state: "japanese", fonts: ["Noto Sans CJK JP", "Noto Color Emoji"]),
    Shot(state: "hindi", fonts: ["Noto Sans Devanagari", "Noto Sans Thai"]),
  ]

  /// All pages of the menu and all lists are painted at night. Some of them, with very different layouts, are also
  /// painted by day, on other screens, and in other scripts.
  private static let pages: [Shot] = {
    let pages = SampleScene.all.filter {
      switch $0.context.page {
      case .menu, .list: true
      case .nowPlaying, .buttons: false
      }
    }
    let chosen = [
      "library", "letters", "artists", "albums", "album-page", "search-results", "sources",
    ]
    let further = ["settings", "display-settings", "up-next-edit", "add-phone", "stick-page"]
    let sizes = [(480, 320), (480, 800), (1280, 480)].map { PixelSize(width: $0, height: $1) }
    var shots = pages.map { Shot(state: $0.name) }
    for name in chosen + further { shots.append(Shot(state: name, appearance: .day)) }
    for name in chosen.prefix(5) + further.prefix(3) {
      for size in sizes { shots.append(Shot(state: name, size: size)) }
    }
    for name in ["library", "artists", "album-page", "display-settings"] {
      shots.append(Shot(state: name, language: "ar", fonts: ["Noto Sans Arabic"]))
      shots.append(Shot(state: name, language: "ja", fonts: ["Noto Sans CJK JP"]))
    }
    return shots
  }()

  private static func lacksFonts(_ shot: Shot) -> String? {
    (["Inter"] + shot.fonts).first { !InstalledFonts.has($0) }
  }

  @Test(arguments: shots + pages)
  func picture_matchesItsGoldenFile(_ shot: Shot) throws {
    if let font = Self.lacksFonts(shot) {
      print("Skipped: \(shot), because the font \(font) is not installed")
      return
    }
    var sample = try #require(SampleScene.named(shot.state))
    if let language = shot.language { sample = sample.translated(to: language) }
    let (painter, _) = sample.painted {
      $0.panel = Panel(size: shot.size, diagonalInches: 7)
      $0.appearance = shot.appearance
    }
    let small = painter.canvas.quartered()
    let file = Golden.file("\(shot).png").path
    if Golden.isRenewing {
      try small.writePNG(to: file)
      return
    }
    let golden = PixelBuffer(try Surface(pngFile: file))
    let now = PixelBuffer(small)
    try #require(now.width == golden.width && now.height == golden.height)
    let mean = now.meanDifference(from: golden)
    let far = now.differences(from: golden, over: 48).count
    #expect(mean < 1.2, "the mean difference is \(mean) of 255")
    #expect(far * 100 < now.bytes.count, "\(far) of \(now.bytes.count) bytes differ strongly")
  }

  // MARK: Damage

  @Test func partialRepaint_equalsAFullPaint() throws {
    let names = [
      "playing", "pressed", "dragging", "focus", "notice", "volume", "interrupted", "up-next",
      "pairing", "library", "playing", "no-artwork", "library", "playing",
    ]
    var painter: Painter?
    for name in names {
      let sample = try #require(SampleScene.named(name))
      let kept = painter ?? Painter(size: sample.context.panel.size)
      painter = kept
      kept.show(sample.scene(on: kept))
      let (fresh, _) = sample.painted()
      // Where the edge of a repainted part cuts a curve, pixels can be rounded differently.
      let far = PixelBuffer(kept.canvas).differences(from: PixelBuffer(fresh.canvas), over: 3)
      #expect(far.isEmpty, "\(name): \(far.prefix(3))")
    }
  }

  @Test func oneSecond_repaintsASmallArea_andAnIdleSceneNothing() throws {
    let sample = try #require(SampleScene.named("playing"))
    let (painter, scene) = sample.painted()
    #expect(painter.show(scene).isEmpty)
    var context = sample.context
    context.now = context.now.advanced(by: .seconds(1))
    let damage = painter.show(sample.scene(on: painter, context))
    #expect(!damage.isEmpty)
    #expect(damage.area * 40 < 800 * 480)
  }

  @Test func coverThatArrives_isShown() throws {
    let sample = try #require(SampleScene.named("playing"))
    let painter = Painter(size: sample.context.panel.size)
    let scene = NowPlayingLayout.scene(sample.state, sample.context, measure: painter.shaper)
    painter.show(scene)
    let before = PixelBuffer(painter.canvas)
    painter.pictures.set(try #require(SampleCovers.images[.dusk]), for: "dusk")
    #expect(!painter.show(scene).isEmpty)
    let changed = PixelBuffer(painter.canvas).differences(from: before, over: 8)
    let cover = try #require(scene["cover"]).frame
    #expect(changed.count > cover.area / 2)
    #expect(changed.allSatisfy { cover.contains($0) })
    #expect(painter.show(scene).isEmpty)
  }

  // MARK: Texts

  private static let hostileTitles = [
    String(
      repeating: "Z\u{0302}\u{0323}\u{030B}\u{0316}\u{0302}\u{0323}\u{030B}\u{0316}algo ", count: 3),
    // The result of decoding bytes that are not valid UTF-8.
    String(
      decoding: [
        0x41, 0xFF, 0xC3, 0x28, 0xE2, 0x82, 0xF0, 0x28, 0x8C, 0xBC, 0xED, 0xA0, 0x80, 0xC0,
      ],
      as: UTF8.self),
    String(repeating: "W", count: 65_000), String(repeating: "word\u{7}\u{1B}[2J ", count: 5000),
    "\u{202E}abc\u{2066}def\u{202A}\u{202B}\u{202D}x",
    String(repeating: "\u{2067}", count: 500) + "x",
    String(repeating: "﷽", count: 50), String(repeating: "👩‍👩‍👧‍👦", count: 300),
    "ﷺ ཧཱུྃ ଶ୍ରୀ कर्त्स्न्य ᚛ᚑ 漢字 ไทยฟิ้ e\u{0301}",
  ]

  @Test(arguments: hostileTitles.indices)
  func hostileTitle_isClippedToItsFrame(_ index: Int) throws {
    let sample = try #require(SampleScene.named("playing"))
    let (painter, scene) = sample.painted()
    let clean = PixelBuffer(painter.canvas)
    let metadata: MetadataItems = [MetadataItem(.title, Self.hostileTitles[index])]
    let state = NowPlayingState(
      revision: 1, session: "a",
      content: .music(MusicContent(id: "x", metadata: metadata, duration: .finite(.seconds(251)))),
      playback: sample.state.playback, commands: sample.state.commands,
      template: sample.state.template, volume: sample.state.volume)
    var context = sample.context
    context.colors = try #require(painter.pictures.colors(of: "dusk"))
    let marked = NowPlayingLayout.scene(state, context, measure: painter.shaper)
    painter.show(marked)
    let allowed = ["title", "artist", "artist.chevron", "album", "cover"].flatMap { id in
      [scene[ElementID(id)]?.frame, marked[ElementID(id)]?.frame].compactMap(\.self)
    }
    let outside = PixelBuffer(painter.canvas).differences(from: clean, over: 3).filter { point in
      !allowed.contains { $0.contains(point) }
    }
    #expect(outside.isEmpty, "\(outside.prefix(3))")
  }

  @Test func measure_neverExceedsTheWidth_andCountsLines() {
    let shaper = TextShaper()
    let style = TextStyle(size: 34, weight: .semibold, isDisplay: true)
    let texts = [
      "Fern", "Concerning the Several Ways in Which the Night Bus Never Quite Arrives",
      String(repeating: "W", count: 400), "夜明け前の港で、君の声を聴いた 🌊✨", "أغنية البحر الطويل عند آخر الليل",
      "mixed עברית and 漢字 ไทย", "🌊", " ",
    ]
    for text in texts {
      for width in [20, 100, 344] {
        for lines in [1, 2] {
          let extent = shaper.extent(of: text, style: style, width: width, lines: lines)
          #expect((1...lines).contains(extent.lines), "\(text)")
          #expect(extent.width <= width)
        }
      }
    }
    let digits = TextStyle(size: 28, weight: .semibold, hasTabularDigits: true)
    if InstalledFonts.has("Inter") {
      let widths = ["11:11", "00:00", "28:47"].map {
        shaper.extent(of: $0, style: digits, width: nil, lines: 1).width
      }
      #expect(Set(widths).count == 1, "all digits must have the same width: \(widths)")
    }
  }

  @Test func everyState_canBePainted() {
    for sample in SampleScene.all {
      let (painter, scene) = sample.painted {
        $0.appearance = .day
        $0.panel = Panel(size: PixelSize(width: 480, height: 320))
      }
      #expect(!scene.elements.isEmpty)
      let pixels = PixelBuffer(painter.canvas)
      #expect(
        pixels.bytes.contains { $0 < 80 } && pixels.bytes.contains { $0 > 180 }, "\(sample.name)")
    }
  }
}
