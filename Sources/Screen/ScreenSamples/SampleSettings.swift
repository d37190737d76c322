import ScreenLayout

/// Invented pages of settings, of a stick, and of what the unit tells about itself.
enum SampleSettings {
  private static func page(_ title: String, line: String? = nil, _ content: BrowsePage.Content)
    -> BrowsePage
  {
    BrowsePage(.settings, heading: BrowsePage.Heading(title, line: line), content)
  }

  private static func options(_ texts: [String]) -> [BrowseControl.Option] {
    texts.enumerated().map { BrowseControl.Option("\($0)", $1) }
  }

  private static func half(_ control: BrowseControl, isActive: Bool = true) -> BrowseControl {
    var control = control
    control.isHalf = true
    control.isActive = isActive
    return control
  }

  static func first(_ words: LocalizedWords) -> BrowsePage {
    let texts = words.settings
    let tiles: [(Symbol, String, String)] = [
      (.volume, texts.sound, "ReplayGain: \(texts.everyAlbum)"),
      (.sun, texts.display, texts.automatic),
      (.phone, words.browse.phone, "\(texts.bluetooth): \(texts.on)"),
      (.clock, texts.clock, texts.hours24), (.globe, texts.language, "English"),
      (.power, texts.atStart, texts.goOn), (.info, texts.about, "\(texts.version) 1.3"),
    ]
    return BrowsePage(
      .settings,
      .keys(
        tiles.map { symbol, title, line in
          var key = BrowseKey(id: title, symbol, title, line)
          key.opensPage = true
          return key
        }))
  }

  static func display(_ words: LocalizedWords) -> BrowsePage {
    let texts = words.settings
    return page(
      texts.display,
      .form(
        BrowseForm([
          BrowseControl(
            "light", .choice(options([texts.automatic, texts.day, texts.night]), selected: "0"),
            title: texts.colours, note: texts.byClock),
          half(
            BrowseControl(
              "begins", .steps(BrowseControl.Steps("7:00", part: 0.3)), title: texts.dayFrom)),
          half(
            BrowseControl(
              "ends", .steps(BrowseControl.Steps("23:45", part: 1, canGoUp: false)),
              title: texts.dayUntil)),
          half(
            BrowseControl(
              "bright", .steps(BrowseControl.Steps("100 %", part: 1, canGoUp: false)),
              title: texts.brightnessByDay)),
          half(
            BrowseControl(
              "dim", .steps(BrowseControl.Steps("50 %", part: 0.44)),
              title: texts.brightnessAtNight)),
          BrowseControl(
            "text",
            .choice(
              options([texts.automatic, texts.normal, texts.large, texts.largest]), selected: "2"),
            title: texts.letters),
        ])))
  }

  static func clock(_ words: LocalizedWords) -> BrowsePage {
    let texts = words.settings
    var zone = BrowseRow(
      id: "zone", .picture(BrowsePicture(.globe)), texts.timeZone, line: "Los Angeles")
    zone.opensPage = true
    var shown = BrowseControl(
      "shown", .choice(options([texts.hours24, texts.hours12, texts.hidden]), selected: "0"),
      title: texts.shownAs, note: texts.networkSetsTime)
    shown.isActive = false
    return page(
      texts.clock,
      .form(
        BrowseForm([
          shown,
          half(BrowseControl("hour", .steps(BrowseControl.Steps("21")), title: texts.hour)),
          half(
            BrowseControl(
              "minute", .steps(BrowseControl.Steps("47", canGoDown: false)), title: texts.minute)),
          BrowseControl("zone", .row(zone)),
        ])))
  }

  static func languages(_ words: LocalizedWords) -> BrowsePage {
    let names = [words.settings.automatic, "English", "Deutsch", "Français", "العربية", "עברית"]
    return page(
      words.settings.language,
      .keys(
        names.map {
          BrowseKey(
            id: $0, $0 == "English" ? .check : .globe, $0, "", isPrimary: $0 == "English",
            isActive: $0 != "Deutsch")
        }))
  }

  static func about(_ words: LocalizedWords) -> BrowsePage {
    let texts = words.settings
    var storage = BrowseRow(
      id: "storage", .picture(BrowsePicture(.folder)), texts.storage,
      line: "ext4, 5740 MiB of 6800 MiB free")
    storage.tone = .usual
    var fault = BrowseRow(
      id: "fault", .picture(BrowsePicture(.warning)), "output: the card does not answer",
      line: "check the cable of the card, then switch the unit off and on again")
    fault.tone = .warning
    return page(
      texts.about, line: "Autoharp 1.3",
      .form(
        BrowseForm([
          BrowseControl("storage", .row(storage)), BrowseControl("fault", .row(fault)),
          .halfKey("checks", .info, texts.allChecks),
          .halfKey("code", .code, texts.asCode, isActive: false),
          .halfKey("erase", .bin, texts.eraseData),
        ])))
  }

  static func erasing(_ words: LocalizedWords) -> BrowsePage {
    let texts = words.settings
    return page(
      texts.erase,
      .question(
        BrowseQuestion(
          texts.eraseQuestion, texts.eraseDetail, no: words.browse.keep, yes: texts.erase)))
  }

  static func code(_ words: LocalizedWords) -> BrowsePage {
    let texts = words.settings
    return page(
      texts.report,
      .code(
        BrowseCode(
          "autoharp 1.3 4f2c9ae\nqemu-x86_64\n!output.silent\n?music.some-unplayable\n+clock.kept",
          title: texts.photograph, detail: texts.codeDetail, line: "1.3 · 4f2c9ae")))
  }

  static func stick(_ words: LocalizedWords) -> BrowsePage {
    let browse = words.browse
    var problems = BrowseRow(
      id: "problems", .picture(BrowsePicture(.warning)), browse.cannotBePlayed(12),
      line: "WMA (10), \(browse.damaged) (2)")
    problems.tone = .warning
    problems.opensPage = true
    return BrowsePage(
      .sources,
      heading: BrowsePage.Heading(
        "ROADTRIP", line: "\(browse.stick) · \(browse.reading) 312 / 1840"),
      .form(
        BrowseForm([
          BrowseControl(
            "reading", .bar(0.17, "312 / 1840"), title: browse.readingTitle,
            note: "\(browse.playsAlready) \(browse.canBePulled)"),
          BrowseControl("problems", .row(problems)),
          .halfKey("play", .play, browse.play, isPrimary: true),
          .halfKey("read", .reload, browse.readAnew),
        ])))
  }
}
