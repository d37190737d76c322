import NowPlaying
import ScreenLayout
import ScreenSamples
import Testing

/// Tests hostile texts, as files and phones can contain them. The layout must not depend on these texts.
@Suite struct HostileTextTests {
  /// A scene in which each text of the state and of the context is `text`.
  private func scene(_ text: String, _ screen: Screen, page: Int) -> Scene {
    let metadata: MetadataItems = [
      MetadataItem(.title, text), MetadataItem(.artist, text), MetadataItem(.albumName, text),
    ]
    let base = SampleScene.all[0]
    let template = TemplateState(
      buttons: [
        TemplateState.Button(kind: .playbackRate, isEnabled: true, isSelected: true, value: text),
        TemplateState.Button(kind: .image(text), isEnabled: true, isSelected: true),
      ], upNext: .title(text), isAlbumArtistEnabled: true)
    let state = NowPlayingState(
      revision: 1, session: "a",
      content: .music(MusicContent(id: "x", metadata: metadata, duration: .finite(.seconds(200)))),
      playback: base.state.playback, commands: base.state.commands,
      upNext: [UpNextItem(id: text, title: text, artist: text)], template: template,
      volume: base.state.volume)
    var context = base.context
    context.panel = screen.panel
    context.bluetooth = .on(phones: [text, text])
    context.source = (.radio, text)
    context.clock = ScreenContext.Clock(text, until: context.now)
    let ends = context.now.advanced(by: .seconds(5))
    switch page {
    case 0: break
    case 1: context.notice = ScreenContext.Notice(.info, text, until: ends)
    case 2: context.pairing = ScreenContext.Pairing(peer: text, code: text, until: ends)
    default:
      var row = MenuRow(
        id: text, .picture(MenuPicture(.note, thumbnail: text)), text, line: text)
      row.isEdited = page == 3
      context.page = .list(
        MenuList(
          text, line: text,
          .rows([row], MenuPaging(canGoBack: true, canGoForward: true, letter: text))))
    }
    return NowPlayingLayout.scene(state, context, measure: FixedWidthMeasure())
  }

  private func check(_ text: String, _ name: String) {
    for screen in [Screen.usual, .small, .portrait, .wide] {
      for page in screen.inches == Screen.usual.inches ? 0...4 : 0...0 {
        let scene = scene(text, screen, page: page)
        let harmless = self.scene("x", screen, page: page)
        let whole = PixelRect(scene.size)
        for element in scene.elements {
          #expect(
            whole.contains(element.frame), "\(name): \(element.id) \(element.frame) on \(screen)")
          guard case .text(let run) = element.content else { continue }
          #expect(run.text.unicodeScalars.count <= 500, "\(name): \(element.id)")
          let isClean = run.text.unicodeScalars.allSatisfy {
            switch $0.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: !(0x202A...0x202E).contains($0.value) && !(0x2066...0x2069).contains($0.value)
            }
          }
          #expect(isClean, "\(name): \(element.id)")
        }
        // The text must not move the elements that have a fixed position.
        for id in ["transport.central", "bar.track", "cover"] as [ElementID] {
          #expect(scene[id]?.frame == harmless[id]?.frame, "\(name): \(id)")
        }
      }
    }
  }

  private static let texts: [(String, String)] = [
    ("nothing", ""), ("spaces", " \u{A0}\u{3000}\t"), ("a line", "a\nb\r\nc\u{2028}d\u{2029}e"),
    (
      "control characters",
      (0..<32).map { String(UnicodeScalar($0)) }.joined() + "\u{7F}\u{85}\u{9B}"
    ),
    ("64 KB", String(repeating: "word ", count: 13_000)),
    ("64 KB without a space", String(repeating: "W", count: 65_000)),
    ("bidi overrides", "\u{202E}abc\u{2066}def\u{202A}\u{202B}\u{202D}x"),
    ("isolates left open", String(repeating: "\u{2067}", count: 500) + "x"),
    ("stacked marks", "Z" + String(repeating: "\u{0302}\u{0323}", count: 5000) + "algo"),
    ("marks alone", String(repeating: "\u{0301}", count: 100)),
    ("families", String(repeating: "👩‍👩‍👧‍👦", count: 300)),
    ("joiners", String(repeating: "\u{200D}", count: 1000)),
    ("replacement", String(repeating: "\u{FFFD}", count: 200)),
    ("noncharacters", "\u{FFFE}\u{FFFF}\u{1FFFE}"),
    ("private use", "\u{E000}\u{F8FF}x"), ("zero width", "\u{200B}\u{FEFF}\u{2060}"),
    ("very wide", String(repeating: "﷽", count: 50)),
    ("mixed", "שלום abc مرحبا 漢字 ไทย हिन्दी 🌊 e\u{0301}"),
  ]

  @Test(arguments: texts.indices)
  func hostileText_keepsTheLayout(_ index: Int) {
    check(Self.texts[index].1, Self.texts[index].0)
  }

  @Test func randomText_keepsTheLayout() {
    var random = SeededRandom(64)
    let ranges: [ClosedRange<UInt32>] = [
      0...0x7F, 0x80...0x24F, 0x300...0x36F, 0x590...0x6FF, 0x900...0xE7F, 0x2000...0x206F,
      0x3000...0x9FFF, 0xFB00...0xFFFF, 0x1F300...0x1FAFF, 0xE0000...0xE0FFF,
    ]
    for round in 0..<16 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...300, using: &random) {
        let range = ranges.randomElement(using: &random) ?? ranges[0]
        if let scalar = UnicodeScalar(UInt32.random(in: range, using: &random)) {
          scalars.append(scalar)
        }
      }
      check(String(scalars), "round \(round)")
    }
  }

  @Test func marksAndJoinersOfScripts_areKept() {
    func title(_ text: String) -> String? { scene(text, .usual, page: 0).text("title") }
    #expect(title("ما شاء الله") == "ما شاء الله")
    #expect(title("नमस्ते क्\u{200D}ष") == "नमस्ते क्\u{200D}ष", "a joiner")
    #expect(title("👩‍👧 🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}") != nil)
    #expect(title("Tiếng Việt e\u{0302}\u{0301}") == "Tiếng Việt e\u{0302}\u{0301}", "two marks")
    #expect(title("  a \n\t b  ") == "a b")
    #expect(title("") == LocalizedWords("en").untitled)
  }
}
