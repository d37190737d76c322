import ScreenLayout

/// Invented pages of settings, of a stick, and of the facts about the unit.
enum SampleSettings {
  private static func page(_ title: String, line: String? = nil, _ content: MenuPage.Content)
    -> MenuPage
  {
    MenuPage(.settings, heading: MenuPage.Heading(title, line: line), content)
  }

  private static func options(_ texts: [String]) -> [MenuControl.Option] {
    texts.enumerated().map { MenuControl.Option("\($0)", $1) }
  }

  private static func half(_ control: MenuControl, isActive: Bool = true) -> MenuControl {
    var control = control
    control.isHalf = true
    control.isActive = isActive
    return control
  }

  static func first(_ words: LocalizedWords) -> MenuPage {
    let texts = words.settings
    let tiles: [(Symbol, String, String)] = [
      (.volume, texts.sound, "ReplayGain: \(texts.everyAlbum)"),
      (.sun, texts.display, texts.automatic),
      (.phone, words.menu.phone, "\(texts.bluetooth): \(texts.on)"),
      (.clock, texts.clock, texts.hours24), (.globe, texts.language, "English"),
      (.power, texts.atStart, texts.goOn), (.info, texts.about, "\(texts.version) 1.3"),
    ]
    return MenuPage(
      .settings,
      .keys(
        tiles.map { symbol, title, line in
          var key = MenuKey(id: title, symbol, title, line)
          key.opensPage = true
          return key
        }))
  }

  static func display(_ words: LocalizedWords) -> MenuPage {
    let texts = words.settings
    return page(
      texts.display,
      .form(
        MenuForm([
          MenuControl(
            "light", .choice(options([texts.automatic, texts.day, texts.night]), selected: "0"),
            title: texts.colours, note: texts.byClock),
          half(
            MenuControl(
              "begins", .steps(MenuControl.Steps("7:00", part: 0.3)), title: texts.dayFrom)),
          half(
            MenuControl(
              "ends", .steps(MenuControl.Steps("23:45", part: 1, canGoUp: false)),
              title: texts.dayUntil)),
          half(
            MenuControl(
              "bright", .steps(MenuControl.Steps("100 %", part: 1, canGoUp: false)),
              title: texts.brightnessByDay)),
          half(
            MenuControl(
              "dim", .steps(MenuControl.Steps("50 %", part: 0.44)),
              title: texts.brightnessAtNight)),
          MenuControl(
            "text",
            .choice(
              options([texts.automatic, texts.normal, texts.large, texts.largest]), selected: "2"),
            title: texts.letters),
        ])))
  }

  static func clock(_ words: LocalizedWords) -> MenuPage {
    let texts = words.settings
    var zone = MenuRow(
      id: "zone", .picture(MenuPicture(.globe)), texts.timeZone, line: "Los Angeles")
    zone.opensPage = true
    var shown = MenuControl(
      "shown", .choice(options([texts.hours24, texts.hours12, texts.hidden]), selected: "0"),
      title: texts.shownAs, note: texts.networkSetsTime)
    shown.isActive = false
    return page(
      texts.clock,
      .form(
        MenuForm([
          shown,
          half(MenuControl("hour", .steps(MenuControl.Steps("21")), title: texts.hour)),
          half(
            MenuControl(
              "minute", .steps(MenuControl.Steps("47", canGoDown: false)), title: texts.minute)),
          MenuControl("zone", .row(zone)),
        ])))
  }

  static func languages(_ words: LocalizedWords) -> MenuPage {
    let names = [words.settings.automatic, "English", "Deutsch", "Français", "العربية", "עברית"]
    return page(
      words.settings.language,
      .keys(
        names.map {
          MenuKey(
            id: $0, $0 == "English" ? .check : .globe, $0, "", isPrimary: $0 == "English",
            isActive: $0 != "Deutsch")
        }))
  }

  static func about(_ words: LocalizedWords) -> MenuPage {
    let texts = words.settings
    var storage = MenuRow(
      id: "storage", .picture(MenuPicture(.folder)), texts.storage,
      line: "ext4, 5740 MiB of 6800 MiB free")
    storage.tone = .usual
    var fault = MenuRow(
      id: "fault", .picture(MenuPicture(.warning)), "output: the card does not answer",
      line: "check the cable of the card, then switch the unit off and on again")
    fault.tone = .warning
    return page(
      texts.about, line: "Autoharp 1.3",
      .form(
        MenuForm([
          MenuControl("storage", .row(storage)), MenuControl("fault", .row(fault)),
          .halfKey("checks", .info, texts.allChecks),
          .halfKey("code", .code, texts.asCode, isActive: false),
          .halfKey("erase", .bin, texts.eraseData),
        ])))
  }

  static func erasing(_ words: LocalizedWords) -> MenuPage {
    let texts = words.settings
    return page(
      texts.erase,
      .question(
        MenuQuestion(
          texts.eraseQuestion, texts.eraseDetail, no: words.menu.keep, yes: texts.erase)))
  }

  static func code(_ words: LocalizedWords) -> MenuPage {
    let texts = words.settings
    return page(
      texts.report,
      .code(
        MenuCode(
          "autoharp 1.3 4f2c9ae\nqemu-x86_64\n!output.silent\n?music.some-unplayable\n+clock.kept",
          title: texts.photograph, detail: texts.codeDetail, line: "1.3 · 4f2c9ae")))
  }

  static func stick(_ words: LocalizedWords) -> MenuPage {
    let menu = words.menu
    var problems = MenuRow(
      id: "problems", .picture(MenuPicture(.warning)), menu.cannotBePlayed(12),
      line: "WMA (10), \(menu.damaged) (2)")
    problems.tone = .warning
    problems.opensPage = true
    return MenuPage(
      .sources,
      heading: MenuPage.Heading(
        "ROADTRIP", line: "\(menu.stick) · \(menu.reading) 312 / 1840"),
      .form(
        MenuForm([
          MenuControl(
            "reading", .bar(0.17, "312 / 1840"), title: menu.readingTitle,
            note: "\(menu.playsAlready) \(menu.canBePulled)"),
          MenuControl("problems", .row(problems)),
          .halfKey("play", .play, menu.play, isPrimary: true),
          .halfKey("read", .reload, menu.readAnew),
        ])))
  }
}
