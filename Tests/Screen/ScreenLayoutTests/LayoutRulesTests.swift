import NowPlaying
import ScreenLayout
import ScreenSamples
import Testing

@Suite struct LayoutRulesTests {
  private func scene(_ name: String, _ change: (inout ScreenContext) -> Void = { _ in }) throws
    -> Scene
  {
    try #require(SampleScene.named(name)).scene(nil, .night, change)
  }

  @Test func pauseGlyph_isShownOnlyWhilePlaying() throws {
    for (name, symbol) in [
      ("playing", Symbol.pause), ("paused", .play), ("buffering", .play), ("seeking", .play),
      ("live", .stop), ("interrupted", .call),
    ] {
      #expect(try scene(name).symbol("transport.central") == symbol, "\(name)")
    }
  }

  @Test(arguments: Screen.all)
  func bufferingAndSeeking_haveASignOfTheirOwn(_ screen: Screen) throws {
    for (name, symbol) in [
      ("buffering", Symbol.buffering), ("seeking", .seekForward), ("playing", nil), ("paused", nil),
    ] {
      let scene = try #require(SampleScene.named(name)).scene(screen)
      #expect(scene.symbol("state.icon") == symbol, "\(name)")
      guard symbol != nil else { continue }
      let icon = try #require(scene["state.icon"]).frame
      for id in ["elapsed", "remaining", "transport.central"] as [ElementID] {
        #expect(!icon.intersects(try #require(scene[id]).frame), "\(name) \(id)")
      }
    }
  }

  @Test func clock_isHiddenWhileTheTimeIsUnknown() throws {
    #expect(try scene("clock-unknown")["clock"] == nil)
    #expect(try scene("playing").text("clock") == "21:47")
  }

  @Test func header_showsTheVolume_elseANotice_elseTheStatus() throws {
    let both = try scene("notice") { $0.volumeUntil = $0.now.advanced(by: .seconds(1)) }
    #expect(both["volume"] != nil)
    #expect(both["notice"] == nil)
    #expect(both["phone.name"] == nil)
    #expect(try scene("notice")["notice"] != nil)
    #expect(try scene("notice") { $0.now = $0.now.advanced(by: .seconds(4)) }["notice"] == nil)
  }

  @Test func longNotice_replacesUpNext_andIsCutOffBeforeTheCorner() throws {
    let long = try scene("notice") {
      $0.notice?.text = String(repeating: "a long story ", count: 100)
    }
    let notice = try #require(long["notice"]?.frame)
    #expect(long["upNext"] == nil)
    #expect(notice.maxX < (try #require(long["browse"]?.frame)).x)
    #expect(notice.contains(try #require(long["notice.text"]?.frame)))
  }

  @Test func longNotice_hasTwoLines_withinTheHeader() throws {
    let short = try #require(try scene("notice") { $0.notice?.text = "Short" }["notice"]).frame
    let long = try #require(try scene("storage")["notice"]).frame
    #expect(short.height < long.height)
    #expect(long.y >= 0 && long.maxY <= 88)
    #expect(short.midY == long.midY)
  }

  @Test func header_showsTheStateOfBluetooth() throws {
    #expect(try scene("bluetooth-off").symbol("phone.icon") == .bluetoothOff)
    #expect(try scene("no-phone").text("phone.name") == LocalizedWords("en").noPhone)
    #expect(try scene("two-phones").text("phone.name") == "2 · Ana’s Pixel 8")
    #expect(try scene("playing") { $0.bluetooth = .absent }["phone.icon"] == nil)
  }

  @Test func pairing_isHiddenByACallAndTheReverseGear_andEndsAfter30Seconds() throws {
    for reason in [Interruption.Reason.call, .reversing] {
      let base = try #require(SampleScene.named("pairing"))
      let state = NowPlayingState(
        revision: 1, volume: base.state.volume, interruptions: [reason])
      #expect(NowPlayingLayout.shownPairing(state, base.context) == nil)
    }
    #expect(try scene("pairing") { $0.now = $0.now.advanced(by: .seconds(30)) }["accept"] == nil)
    #expect(try scene("pairing-no-code")["code.0"] == nil)
    let odd = try scene("pairing") { $0.pairing?.code = "48 29 1x" }
    #expect(odd["code.0"] == nil, "a code has six digits")
  }

  @Test func remainingAndElapsedTime_addUpToTheLength() throws {
    let sample = try #require(SampleScene.named("playing"))
    for milliseconds in stride(from: 0, to: 5000, by: 137) {
      let scene = sample.scene { $0.now = $0.now.advanced(by: .milliseconds(milliseconds)) }
      let elapsed = try #require(scene.text("elapsed")).split(separator: ":").compactMap { Int($0) }
      let left = try #require(scene.text("remaining")).dropFirst().split(separator: ":")
        .compactMap { Int($0) }
      #expect(elapsed[0] * 60 + elapsed[1] + left[0] * 60 + left[1] == 251)
    }
  }

  @Test func names_areUnique_becauseDamageComparesByName() {
    for screen in Screen.all {
      for sample in SampleScene.all {
        let scene = sample.scene(screen)
        #expect(Set(scene.elements.map(\.id)).count == scene.elements.count, "\(sample.name)")
        #expect(Set(scene.hitAreas.map(\.id)).count == scene.hitAreas.count, "\(sample.name)")
      }
    }
  }

  @Test func extremeNumbers_keepTheBarInItsTrack() throws {
    let sample = try #require(SampleScene.named("playing"))
    let lengths: [Duration] = [
      .zero, .nanoseconds(1), .seconds(-5), .seconds(Int64.max), .seconds(1e12),
    ]
    for length in lengths {
      var content = try #require(sample.state.content)
      content.duration = .finite(length)
      let state = NowPlayingState(
        revision: 1, session: "a", content: content, playback: sample.state.playback,
        commands: sample.state.commands, template: sample.state.template,
        volume: sample.state.volume)
      for preview in [nil, Duration.zero, .seconds(-9), .seconds(Int64.max)] {
        var context = sample.context
        context.seekPreview = preview
        context.rowLimit = -3
        context.panel = Screen.wide.panel
        let scene = NowPlayingLayout.scene(state, context, measure: FixedWidthMeasure())
        _ = scene.scrubber?.position(atX: Int.max / 2)
        _ = NowPlayingLayout.nextChange(state, context)
        let track = try #require(scene["bar.track"]).frame
        #expect(try #require(scene["bar"] ?? scene["bar.track"]).frame.maxX <= track.maxX)
      }
    }
    let tiny = sample.scene {
      $0.panel = Panel(size: PixelSize(width: 0, height: -4), diagonalInches: 1e-9)
    }
    #expect(tiny.size == PixelSize(width: 1, height: 1))
  }

  @Test func more_onASmallScreen_showsTheLanguageThatIsSung() throws {
    let sample = try #require(SampleScene.named("buttons"))
    for (tag, name) in [("fr", "Français"), ("pt-BR", "Português"), ("Klingon", "Klingon")] {
      let old = try #require(sample.state.content)
      var metadata = old.metadata
      metadata.append(MetadataItem(.language, tag))
      let state = NowPlayingState(
        revision: 1, session: "a",
        content: .music(MusicContent(id: "a", metadata: metadata, duration: old.duration)),
        playback: sample.state.playback, commands: sample.state.commands,
        template: sample.state.template, volume: sample.state.volume)
      func scene(_ page: ScreenContext.Page) -> Scene {
        var context = sample.context
        context.page = page
        return NowPlayingLayout.scene(state, context, measure: FixedWidthMeasure())
      }
      #expect(scene(.buttons).text("language") == name)
      #expect(scene(.buttons).text("artist") == "The Cartwheels")
      #expect(scene(.nowPlaying).text("language") == nil)
      let text = try #require(scene(.buttons)["language"]).frame
      #expect(text.maxY <= (try #require(scene(.buttons)["bar.track"])).frame.y)
    }
  }

  @Test(arguments: Screen.all) func goOn_isInThePlaceOfShuffle(_ screen: Screen) throws {
    let sample = try #require(SampleScene.all.first { $0.scene(screen)["shuffle"] != nil })
    let shuffle = try #require(sample.scene(screen).hitAreas.first { $0.id == "shuffle" })
    let scene = sample.scene(screen) {
      guard case .menu(var page) = $0.page, case .collection(var collection) = page.content else {
        return
      }
      collection.canGoOn = true
      page.content = .collection(collection)
      $0.page = .menu(page)
    }
    #expect(scene.action("shuffle") == nil && scene.action("goOn") == .menu(.goOn))
    #expect(scene.hitAreas.first { $0.id == "goOn" }?.frame == shuffle.frame)
  }

  @Test func mirroring_keepsTheOrderOfTransportAndTime() throws {
    let sample = try #require(SampleScene.named("playing"))
    let plain = sample.scene()
    let mirrored = sample.scene(language: "he")
    func x(_ scene: Scene, _ id: ElementID) -> Int { scene[id]?.frame.x ?? -1 }
    #expect(x(plain, "cover") < x(plain, "title"))
    #expect(x(mirrored, "cover") > x(mirrored, "title"))
    #expect(x(mirrored, "clock") > x(mirrored, "upNext"))
    #expect(x(mirrored, "transport.back") < x(mirrored, "transport.forward"))
    #expect(x(mirrored, "elapsed") < x(mirrored, "remaining"))
    #expect(x(mirrored, "bar") == x(mirrored, "bar.track"), "it fills from the left")
    #expect(x(mirrored, "custom.0") > x(mirrored, "custom.4"))
    #expect(mirrored.action("transport.back") == plain.action("transport.back"))
    guard case .icon(let queue)? = mirrored["upNext.icon"]?.content,
      case .icon(let note)? = mirrored["source.icon"]?.content
    else {
      Issue.record("icons are missing")
      return
    }
    #expect(queue.isMirrored)
    #expect(!note.isMirrored)
  }

  @Test func capitalLetters_areAtLeast2MillimetresHigh() throws {
    for screen in Screen.all {
      for sample in SampleScene.all {
        for element in sample.scene(screen).elements {
          guard case .text(let run) = element.content else { continue }
          let height = Double(run.style.size) * 0.727 / screen.panel.pixelsPerMillimetre
          #expect(height >= 2.0, "\(screen) \(sample.name) \(element.id): \(height) mm")
        }
      }
    }
  }

  @Test func textScale_isLimited_andNoElementLeavesTheScreen() throws {
    for wanted in [0.1, 0.85, 1.15, 1.3, 50] {
      for name in SampleScene.all.map(\.name) {
        let scene = try scene(name) { $0.textScale = wanted }
        let whole = PixelRect(scene.size)
        for element in scene.elements {
          #expect(whole.contains(element.frame), "\(name) \(element)")
        }
      }
    }
    for (wanted, limit) in [(0.1, 0.85), (50, 1.3)] {
      let scenes = try [wanted, limit].map { scale in
        try scene("playing") { $0.textScale = scale }
      }
      #expect(scenes[0].elements == scenes[1].elements)
    }
  }

  @Test func panel_ignoresImplausibleSizes() {
    let size = PixelSize(width: 800, height: 480)
    func density(_ inches: Double?, _ edid: (Int, Int)?) -> Int {
      Int(
        Panel(size: size, diagonalInches: inches, edidMillimetres: edid).pixelsPerMillimetre * 100)
    }
    let seven = density(7, nil)
    #expect(density(nil, nil) == seven)
    #expect(density(nil, (0, 0)) == seven, "EDID without a size")
    #expect(density(nil, (16, 9)) == seven, "EDID with proportions instead of a size")
    #expect(density(nil, (160, 160)) == seven, "EDID with pixels that are not square")
    #expect(density(nil, (108, 65)) > seven, "EDID with five inches")
    #expect(density(5, (152, 91)) == density(5, nil), "the configuration takes precedence")
    #expect(density(-.infinity, nil) == seven)
    #expect(density(.nan, nil) == seven)
  }

  @Test func focus_movesInOrder_skipsGreyedButtons_andIsFoundAgain() throws {
    let scene = try scene("source-buttons")
    #expect(scene.focus(from: nil, .next) == "transport.central")
    #expect(scene.focus(from: "removed", .left) == "transport.central")
    #expect(scene.focus(from: "transport.central", .right) == "transport.forward")
    #expect(scene.focus(from: "transport.central", .left) == "transport.back")
    #expect(scene.focus(from: "transport.forward", .right) == "transport.forward", "an edge")
    #expect(scene.focus(from: "custom.2", .next) == "custom.2", "the next one is greyed")
    #expect(scene.focus(from: "custom.0", .up) == "transport.back")
    let ring = try self.scene("focus")
    #expect(ring["focus"] != nil)
    let greyed = try self.scene("source-buttons") {
      $0.focus = "custom.3"
      $0.pressed = "custom.3"
    }
    #expect(greyed["focus"] == nil)
    #expect(greyed["pressed"] == nil)
  }

  @Test(arguments: ["playing", "buttons"])
  func buttonsOfTheUnit_areBehindMore(_ name: String) throws {
    let sample = try #require(SampleScene.named(name))
    func button(_ image: String) -> TemplateState.Button {
      .init(kind: .image(image), isEnabled: true, isSelected: false)
    }
    func scene(_ buttons: Int, _ page: ScreenContext.Page) -> Scene {
      let state = sample.state
      var context = sample.context
      context.page = page
      let template = TemplateState(
        buttons: (0..<buttons).map { button("app\($0)") }, unitButtons: [button("mute")],
        upNext: .off, isAlbumArtistEnabled: false)
      return NowPlayingLayout.scene(
        NowPlayingState(
          revision: 1, session: "app-radio", content: state.content, playback: state.playback,
          commands: state.commands, template: template, volume: state.volume),
        context, measure: FixedWidthMeasure())
    }
    for buttons in [0, 2, 5] {
      let (closed, open) = (scene(buttons, .nowPlaying), scene(buttons, .buttons))
      #expect(open.action("custom.5") == .command(.template(.button(5))))
      guard name == "playing" || buttons > 1 else { continue }
      #expect(closed["custom.5"] == nil)
      #expect(closed.action("more") == .showButtons(true))
      #expect(open.action("more") == .showButtons(false))
    }
  }

  @Test func knob_turnsThePage_whenTheFocusRunsOverAnEdge() throws {
    let scene = try scene("artists")
    let turns = try #require(scene.pageTurns)
    #expect(turns.turn(from: "row.3", .next)?.direction == .forward)
    #expect(turns.turn(from: "row.3", .next)?.focus == "row.0")
    #expect(turns.turn(from: "row.0", .previous)?.direction == .back)
    #expect(turns.turn(from: "row.1", .next) == nil)
    // A knob skips the keys that turn pages. An arrow key reaches these keys.
    #expect(scene.focus(from: "page.letters", .previous) == "row.3")
    #expect(scene.focus(from: "row.0", .right) == "page.back")
    let last = try #require(try self.scene("folder").pageTurns)
    #expect(last.turn(from: last.last, .next) == nil)
  }

  @Test func pageThatAddsAPhone_countsSecondsUntilTheTimeIsOver() throws {
    let sample = try #require(SampleScene.named("add-phone"))
    #expect(sample.scene().text("adding.time") == "open for 1:52")
    let next = try #require(NowPlayingLayout.nextChange(sample.state, sample.context))
    #expect(next <= SampleScene.now.advanced(by: .seconds(1)))
    let over = sample.scene { $0.now = SampleScene.now.advanced(by: .seconds(112)) }
    #expect(over["adding.time"] == nil)
    #expect(over.action("adding.again") == .menu(.choose("add")))
  }

  @Test(
    arguments: [
      (1999, nil), (2000, "Starting…"), (9999, "Starting…"), (10_000, "The player has stopped"),
      (3_600_000, "The player has stopped"),
    ] as [(Int, String?)])
  func daemonThatIsAway_isReportedLate(_ milliseconds: Int, _ title: String?) throws {
    let sample = try #require(SampleScene.named("daemon-away"))
    let since = MonotonicInstant(awake: SampleScene.now.awake - .milliseconds(milliseconds))
    let scene = sample.scene { $0.awaySince = since }
    #expect(scene.text("title") == title)
    #expect(scene.hitAreas.isEmpty)
    var context = sample.context
    context.awaySince = since
    context.clock = nil
    let next = NowPlayingLayout.nextChange(sample.state, context)
    let steps = [2, 10, 60].map { since.advanced(by: .seconds($0)) }
    #expect(next == steps.first { $0 > context.now })
  }
}
