internal import Reports
internal import ScreenLayout
internal import Settings

// The controls of the pages of settings.
extension SettingFacts {
  func controls(_ place: SettingsPages.Place) -> [MenuControl] {
    let words = words.settings
    switch place {
    case .sound:
      return [
        choice("replay-gain", words.equalLoudness),
        steps("start-volume-maximum", words.loudestAtStart),
      ].compactMap(\.self)
    case .display: return display
    case .clock: return clock
    case .atStart:
      return [
        choice("start", words.whenSwitchedOn), choice("queue-end", words.endOfList),
        choice("stick-comes", words.newStick),
      ].compactMap(\.self)
    case .phones:
      return [
        choice("bluetooth", words.bluetooth, note: words.fromNextStart),
        choice("play-when-phone-connects", words.whenPhoneConnects),
        choice("pause-when-phone-leaves", words.whenPhoneLeaves),
        steps("phone-wait", words.waitForPhone),
      ].compactMap(\.self)
    case .about: return about
    case .first, .language, .regions, .zones, .checks, .code, .erasing: return []
    }
  }

  private var display: [MenuControl] {
    let words = words.settings
    var controls = [choice("screen-light", words.colours)]
    if lightRule == .clock {
      controls += [
        steps("day-begins", words.dayFrom, isHalf: true),
        steps("day-ends", words.dayUntil, isHalf: true),
      ]
    }
    if hasBacklight {
      controls += [
        steps("brightness-day", words.brightnessByDay, isHalf: true),
        steps("brightness-night", words.brightnessAtNight, isHalf: true),
      ]
    }
    controls.append(choice("screen-text", words.letters))
    return controls.compactMap(\.self)
  }

  // MARK: Clock

  private var clock: [MenuControl] {
    // The note of the first control is about the keys below it, where a line has no room for it.
    var controls = [
      choice("screen-clock", words.settings.shownAs, note: timeNote)
    ].compactMap(\.self)
    let parts = [
      (Self.hour, words.settings.hour, time?.hour),
      (Self.minute, words.settings.minute, time?.minute),
    ]
    for (id, title, value) in parts {
      let text = value.map { $0 < 10 && id == Self.minute ? "0\($0)" : "\($0)" } ?? "–"
      var control = MenuControl(id, .steps(MenuControl.Steps(text)), title: title)
      control.isActive = state?.canSetTime == true && obstacle(id) == nil
      control.isHalf = true
      controls.append(control)
    }
    if let zone = setting(Self.zoneKey) {
      var row = MenuRow(
        id: Self.zoneKey, .picture(MenuPicture(.globe)), words.settings.timeZone,
        line: obstacle(Self.zoneKey)
          ?? (zone.value.isEmpty ? words.settings.noTimeZone : Self.place(zone.value)))
      row.opensPage = obstacle(Self.zoneKey) == nil
      if !row.opensPage { row.condition = .inert }
      controls.append(MenuControl(Self.zoneKey, .row(row)))
    }
    return controls
  }

  /// Why the time cannot be set here.
  private var timeNote: String? {
    switch state?.clock {
    case .network: words.settings.networkSetsTime
    case _ where state?.canSetTime != true: words.settings.timeCannotBeSet
    default: nil
    }
  }

  // MARK: Settings

  /// A choice between a few words.
  private func choice(_ key: String, _ title: String, note: String? = nil) -> MenuControl? {
    guard let setting = setting(key) else { return nil }
    let obstacle = obstacle(key)
    var control = MenuControl(
      key, .choice(options(key), selected: setting.value), title: title,
      note: obstacle ?? note ?? detail(key))
    control.isActive = obstacle == nil
    return control
  }

  /// What selects the colours, if the unit selects them.
  private func detail(_ key: String) -> String? {
    guard key == "screen-light" else { return nil }
    return switch lightRule {
    case .clock: words.settings.byClock
    case .headlights: words.settings.byHeadlights
    case .sensor: words.settings.bySensor
    case .day, .night: nil
    }
  }

  /// The values of a choice in words, in the order of the screen.
  func options(_ key: String) -> [MenuControl.Option] {
    let words = words.settings
    let pairs: [(String, String)] =
      switch key {
      case "replay-gain":
        [("off", words.off), ("track", words.everySong), ("album", words.everyAlbum)]
      case "screen-light":
        [(automaticLight, words.automatic), ("day", words.day), ("night", words.night)]
      case "screen-text":
        [
          ("0", words.automatic), ("100 %", words.normal), ("115 %", words.large),
          ("130 %", words.largest),
        ]
      case "screen-clock":
        [("24h", words.hours24), ("12h", words.hours12), ("off", words.hidden)]
      case "start": [("resume", words.goOn), ("play", words.play), ("paused", words.wait)]
      case "queue-end": [("next", words.playNextList), ("stop", words.stop)]
      case "stick-comes": [("offer", words.sayIt), ("play", words.play)]
      case "play-when-phone-connects": [("yes", words.play), ("no", words.wait)]
      case "pause-when-phone-leaves": [("no", words.playOn), ("yes", words.pause)]
      default: [("yes", words.on), ("no", words.off)]
      }
    return pairs.map { MenuControl.Option($0.0, $0.1) }
  }

  /// What selects the colours by itself on this unit.
  private var automaticLight: String {
    let setting = setting("screen-light")
    let fixed: Set = ["day", "night"]
    return [setting?.value, setting?.standard].compactMap(\.self).first { !fixed.contains($0) }
      ?? Settings.ScreenLight.auto.rawValue
  }

  /// A number with a key for less and a key for more.
  private func steps(_ key: String, _ title: String, isHalf: Bool = false) -> MenuControl? {
    guard let setting = setting(key), let (numbers, value) = Self.numbers(setting) else {
      return nil
    }
    let obstacle = obstacle(key)
    let part = (value - numbers.minimum) / max(numbers.maximum - numbers.minimum, 1)
    var control = MenuControl(
      key,
      .steps(
        MenuControl.Steps(
          obstacle ?? setting.value, part: part, canGoDown: value > numbers.minimum,
          canGoUp: value < numbers.maximum)),
      title: title)
    control.isActive = obstacle == nil
    control.isHalf = isHalf
    return control
  }

  private static func numbers(_ setting: SettingReport) -> (SettingReport.Numbers, Double)? {
    switch setting.kind {
    case .number(let numbers), .timeOfDay(let numbers):
      (numbers, numbers.current ?? numbers.minimum)
    case .choice, .text: nil
    }
  }

  /// The value that follows when a key for less or more is pressed.
  func stepped(_ key: String, _ direction: MenuPaging.Direction) -> String? {
    guard let setting = setting(key), let (numbers, value) = Self.numbers(setting) else {
      return nil
    }
    // A value between two steps moves to the next step.
    let steps = value / numbers.step
    let next = direction == .forward ? (steps + 1).rounded(.down) : (steps - 1).rounded(.up)
    return setting.text(of: next * numbers.step)
  }
}
