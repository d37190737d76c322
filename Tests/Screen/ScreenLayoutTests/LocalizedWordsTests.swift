import NowPlaying
import ScreenLayout
import ScreenPainter
import ScreenSamples
import Testing

@Suite struct LocalizedWordsTests {
  /// The label of each text, and the parts of the text. Most texts have one part. A text into which a name is inserted
  /// has one part before the name and one part after it. This function reads the table by reflection, so that no text
  /// is forgotten.
  private static func texts(_ table: Any) -> [(label: String, parts: [String])] {
    Mirror(reflecting: table).children.flatMap { child -> [(label: String, parts: [String])] in
      let label = child.label ?? "?"
      switch child.value {
      case let text as String: return [(label, [text])]
      case let text as NamedText: return [(label, [text.before, text.after])]
      default: return texts(child.value)
      }
    }
  }

  private static let tags = LocalizedWords.languages.keys.sorted()

  @Test(arguments: tags)
  func everyText_isPresent_andHasAtMost60Characters(_ tag: String) {
    let texts = Self.texts(LocalizedWords(LanguageTag(tag)))
    #expect(texts.count > 30)
    for (label, parts) in texts {
      let count = parts.reduce(0) { $0 + $1.count }
      // This text has six lines, so it can be longer.
      let most = label == "codeDetail" ? 90 : 60
      #expect((1...most).contains(count), "\(label): \(count) characters")
    }
  }

  @Test func everyLanguage_hasItsOwnTexts() {
    // Some European languages use the same word for these texts.
    let shared: Set = [
      "radio", "live", "sources", "albums", "album", "genres", "genre", "playlists", "playlist",
      "one", "other", "word", "stick", "normal", "minute", "pause", "bluetooth", "version",
      "everyAlbum", "allLetters", "automatic", "hours24", "hours12",
    ]
    for (index, tag) in Self.tags.enumerated() {
      for other in Self.tags[(index + 1)...] {
        let texts = Self.texts(LocalizedWords(LanguageTag(tag)))
        let others = Self.texts(LocalizedWords(LanguageTag(other)))
        for (text, same) in zip(texts, others) where !shared.contains(text.label) {
          #expect(text.parts != same.parts, "\(tag), \(other): \(text.label)")
        }
      }
    }
  }

  /// Pango derives the direction of a line from its first letter. So the first letter of each text must belong to a
  /// script that is written from right to left.
  @Test(arguments: tags.filter { LocalizedWords.isRightToLeft(LanguageTag($0)) })
  func rightToLeft_everyTextBeginsWithALetterOfItsScript(_ tag: String) {
    for (label, parts) in Self.texts(LocalizedWords(LanguageTag(tag))) {
      let first = parts[0].unicodeScalars.first { $0.properties.isAlphabetic }
      #expect(first.map { (0x590...0x6FF).contains($0.value) } == true, "\(label)")
    }
  }

  @Test func region_andOldTag_selectTheLanguage_andAnUnknownTagSelectsEnglish() {
    #expect(LocalizedWords("de-AT") == LocalizedWords("de"))
    #expect(LocalizedWords("iw") == LocalizedWords("he"))
    #expect(LocalizedWords("tlh") == LocalizedWords("en"))
    #expect(LocalizedWords.isRightToLeft("iw"))
    #expect(!LocalizedWords.isRightToLeft("en"))
  }

  @Test func name_isPutIntoTheText() {
    #expect(LocalizedWords("de").pairWith("Ana").contains("Ana"))
    #expect(LocalizedWords("fr").notices.connected("Ana").contains("Ana"))
  }

  // MARK: Room on the screen

  private func fits(_ run: TextRun) -> Bool {
    let measure = FixedWidthMeasure()
    if run.lines == 1 {
      return measure.extent(of: run.text, style: run.style, width: nil, lines: 1).width
        <= run.layoutWidth
    }
    return measure.extent(of: run.text, style: run.style, width: run.layoutWidth, lines: 9).lines
      <= run.lines
  }

  @Test(arguments: tags, [Screen.usual, .small])
  func everyNotice_fitsIntoTheHeader(_ tag: String, _ screen: Screen) throws {
    let language = LanguageTag(tag)
    let sample = try #require(SampleScene.named("playing"))
    for (label, parts) in Self.texts(LocalizedWords(language).notices) {
      let scene = sample.scene(screen, language: language) {
        $0.notice = ScreenContext.Notice(.info, parts.joined(), until: nil)
      }
      guard case .text(let run)? = scene["notice.text"]?.content else {
        Issue.record("\(label): no notice")
        continue
      }
      #expect(fits(run), "\(label): \(run.text)")
    }
  }

  /// The first sentence of a notice states what has happened, and the second sentence states what the driver can do.
  @Test(arguments: tags) func noticesOfFaults_haveTwoSentences(_ tag: String) {
    let words = LocalizedWords(LanguageTag(tag)).notices
    let texts = [
      words.stickRemoved, words.stickSilent, words.stickUnsupported("NTFS"), words.stickUnformatted,
      words.stickDamaged, words.stickUnreadable, words.outputGone, words.noMusic("CAR"),
      words.configurationWrong("a.conf:1"),
      words.unavailable, words.nothingToPlay, words.noLongerThere, words.sourceAbsent,
      words.libraryBusy, words.bluetoothIsOff, words.phoneAway, words.fixedByFile, words.notSaved,
      words.pairingFailed, words.storageCheck, words.storageError, words.storageRepaired,
      words.safeMode, words.safeModeReason,
    ]
    for text in texts { #expect(text.contains(". ") && text.hasSuffix("."), "\(text)") }
  }

  @Test(arguments: tags, [Screen.usual, .small])
  func noticeAboutUnplayableFiles_fitsIntoTheHeader(_ tag: String, _ screen: Screen) throws {
    let language = LanguageTag(tag)
    let notices = LocalizedWords(language).notices
    let sample = try #require(SampleScene.named("playing"))
    for (count, formats) in [
      (1, ["AAC"]), (143, ["AAC"]), (143, ["Musepack"]), (9999, ["AAC", "WMA"]),
      (9999, ["AAC", "ALAC", "WMA", "DRM"]),
    ] {
      let text = notices.unplayable(count, formats)
      #expect(text.count <= 60)
      #expect(text.contains("\(count)") || count == 1)
      for format in formats.prefix(2) { #expect(text.contains(format)) }
      #expect(text.contains("+2") == (formats.count == 4))
      let scene = sample.scene(screen, language: language) {
        $0.notice = ScreenContext.Notice(.stick, text, until: nil)
      }
      guard case .text(let run)? = scene["notice.text"]?.content else {
        Issue.record("no notice")
        continue
      }
      #expect(fits(run), "\(run.text)")
    }
  }

  /// Scenes that show texts of ``LocalizedWords``, and not only texts of a source.
  private func scenes(_ language: LanguageTag, _ screen: Screen) throws -> [Scene] {
    let names = [
      "playing", "buffering", "interrupted", "live", "no-phone", "bluetooth-off", "nothing",
      "daemon-away", "pairing", "pairing-no-code", "up-next",
    ]
    var scenes: [Scene] = []
    for name in names {
      scenes.append(try #require(SampleScene.named(name)).scene(screen, language: language))
    }
    let list = try #require(SampleScene.named("up-next"))
    scenes.append(
      list.scene(screen, language: language) { $0.page = .list(MenuList("", .rows([], nil))) })
    let held = try #require(SampleScene.named("interrupted"))
    let holds: [PlaybackHold] = [
      .interruption(.reversing), .interruption(.alarm), .interruption(.other("test")), .outputLost,
      .resuming, .source,
    ]
    for hold in holds {
      let state = NowPlayingState(
        revision: 1, session: held.state.session, content: held.state.content,
        playback: held.state.playback, template: held.state.template, volume: held.state.volume,
        hold: hold)
      var context = held.context
      context.panel = screen.panel
      context.language = language
      scenes.append(NowPlayingLayout.scene(state, context, measure: FixedWidthMeasure()))
    }
    return scenes
  }

  @Test(arguments: tags, [Screen.usual, .small])
  func everyTextOfAPage_fitsIntoItsArea(_ tag: String, _ screen: Screen) throws {
    let language = LanguageTag(tag)
    let words = LocalizedWords(language)
    var own = Set(Self.texts(words).map { $0.parts.joined() })
    own.insert(words.pairWith("Ana’s Pixel 8"))
    var seen: Set<String> = []
    for scene in try scenes(language, screen) {
      for element in scene.elements {
        guard case .text(let run) = element.content,
          own.contains(run.text) || element.id.rawValue.hasSuffix(".note")
        else { continue }
        #expect(fits(run), "\(element.id): \(run.text)")
        seen.insert(run.text)
      }
    }
    #expect(
      seen.isSuperset(of: [
        words.pausedBriefly, words.noOutput, words.resuming, words.startingDetail,
      ]))
  }

  /// Measures the texts with the real fonts of the screen, because the pages have less room than Now Playing.
  @Test(arguments: tags, [Screen.usual, .small])
  func everyWordOfAPage_isShownWhole(_ tag: String, _ screen: Screen) throws {
    guard InstalledFonts.has("Inter"), InstalledFonts.has("Noto Sans Arabic") else {
      print("Skipped: words of pages, because the fonts of the screen are not installed")
      return
    }
    let language = LanguageTag(tag)
    let words = LocalizedWords(language)
    let own = Set((Self.texts(words.menu) + Self.texts(words.settings)).map { $0.parts.joined() })
    let shaper = TextShaper(FontFamilies(language: tag))
    for sample in SampleScene.all {
      guard case .menu = sample.context.page else { continue }
      let context = sample.translated(to: language).context
      var shown = context
      shown.panel = screen.panel
      let scene = NowPlayingLayout.scene(sample.state, shown, measure: shaper)
      for element in scene.elements {
        guard case .text(let run) = element.content,
          own.contains(run.text) || element.id.rawValue.hasSuffix(".note")
        else { continue }
        let isOneLine = run.lines == 1
        let extent = shaper.extent(
          of: run.text, style: run.style, width: isOneLine ? nil : run.layoutWidth, lines: 9)
        #expect(
          isOneLine ? extent.width <= run.layoutWidth : extent.lines <= run.lines,
          "\(sample.name) \(element.id): \(run.text)")
      }
    }
  }
}
