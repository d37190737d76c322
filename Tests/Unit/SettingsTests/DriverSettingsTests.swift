import Foundation
import SystemClock
import TestKit
import Testing

@testable import Settings

/// The settings of the driver. The settings in the shipped file and in the file of the owner have priority over them.
@Suite struct DriverSettingsTests {
  private let checks = SettingChecks(output: { _ in nil }, amplifier: { _ in nil })

  private func configuration(
    driver: String = "", shipped: String = "", owner: String = ""
  ) -> Configuration {
    // The order of the files must not matter, so the owner's file comes before the driver's file.
    Configuration(
      [
        .init(name: "owner.conf", bytes: Array(owner.utf8)),
        .init(name: "driver.conf", bytes: Array(driver.utf8), layer: .driver),
        .init(name: "shipped.conf", bytes: Array(shipped.utf8), layer: .shipped),
      ], checks: checks)
  }

  private func key(_ name: String) throws -> SettingKey {
    try #require(SettingKey.all.first { $0.name == name })
  }

  private func refusal(
    _ configuration: Configuration, _ key: String, _ value: String?
  ) -> DriverRefusal? {
    var changed = configuration
    do throws(DriverRefusal) {
      _ = try changed.setForDriver(key, value)
      return nil
    } catch {
      #expect(changed.settings == configuration.settings, "nothing has changed")
      #expect(changed.driver == configuration.driver)
      return error
    }
  }

  // MARK: The layers

  @Test func laterLayer_hasPriority() throws {
    let all = configuration(
      driver: "replay-gain = track\nstart = play\nlanguage = de\nscreen-text = 100 %",
      shipped: "start = paused\nlanguage = fr", owner: "language = en")
    #expect(all.settings.replayGain == .track && all.settings.start == .paused)
    #expect(all.settings.language == "en" && all.settings.screenTextScale == 100)
    #expect(all.layer(of: try key("replay-gain")) == .driver)
    #expect(all.layer(of: try key("start")) == .shipped)
    #expect(all.layer(of: try key("language")) == .owner)
    #expect(all.layer(of: try key("ducking")) == nil)
    #expect(all.origin(of: try key("replay-gain")) == .driver)
    #expect(all.originText("replay-gain") == "driver")
    #expect(all.originText("start") == "shipped, shipped.conf:1")
    #expect(all.originText("language") == "owner, owner.conf:1")
    #expect(all.originText("ducking") == "default")
    #expect(all.notices.isEmpty && !all.driver.isDamaged)
    // The value of the driver is kept while the file of the owner sets the same key.
    #expect(all.driver.values["language"] == "de")
  }

  @Test func keyOfTheFiles_isIgnoredInTheFileOfTheDriver() throws {
    let one = configuration(driver: "output = null\nreplay-gain = album")
    #expect(one.settings.output == "default" && one.settings.replayGain == .album)
    #expect(one.notices.map(\.cause) == [.notOfDriver] && one.driver.isDamaged)
  }

  // MARK: Changes

  @Test func value_isSetAndReset() throws {
    var one = configuration()
    _ = try one.setForDriver("phone-wait", " 0.5 min ")
    #expect(one.settings.phoneWait == .seconds(30) && one.driver.values == ["phone-wait": "30 s"])
    #expect(one.origin(of: try key("phone-wait")) == .driver)
    _ = try one.setForDriver("bluetooth-name", "My # car")
    #expect(one.settings.bluetoothName == "My # car")
    _ = try one.setForDriver("bluetooth-name", "")
    #expect(one.settings.bluetoothName == nil && one.driver.values["bluetooth-name"] == "")
    _ = try one.setForDriver("phone-wait", nil)
    #expect(one.settings == Settings() && one.driver.values == ["bluetooth-name": ""])
    #expect(one.origin(of: try key("phone-wait")) == .standard)
    // It is not an error to reset a setting that has its default.
    #expect(refusal(one, "replay-gain", nil) == nil)
  }

  @Test func fixedKey_isRefused() throws {
    let one = configuration(
      driver: "start = play", shipped: "replay-gain = track", owner: "start = paused\nlanguage = en"
    )
    for (name, file, line) in [
      ("replay-gain", "shipped.conf", 1), ("start", "owner.conf", 1), ("language", "owner.conf", 2),
    ] {
      #expect(refusal(one, name, "de") == .fixed(.lines(file: file, [line])))
      #expect(refusal(one, name, nil) == .fixed(.lines(file: file, [line])))
    }
  }

  @Test func unknownKey_andKeyOfTheFiles_areRefused() {
    let one = configuration()
    #expect(refusal(one, "replay-gian", "album") == .unknownKey(nearest: "replay-gain"))
    #expect(refusal(one, "", "x") == .unknownKey(nearest: nil))
    for name in ["output", "music-folder", "state-folder", "button", "console-shell"] {
      #expect(refusal(one, name, "/x") == .notOfDriver, "\(name)")
    }
  }

  @Test(arguments: [
    ("replay-gain", "loud"), ("replay-gain", ""), ("start-volume-maximum", "101"),
    ("start-volume-maximum", "-1"), ("start-volume-maximum", "99999999999999999999"),
    ("screen-text", "84 %"), ("screen-text", "131"), ("skip-interval", "15"),
    ("skip-interval", "0 s"), ("phone-wait", "11 min"), ("day-begins", "24:00"),
    ("language", "d\u{e4}"), ("language", String(repeating: "a-", count: 40)),
    ("bluetooth-name", String(repeating: "n", count: 61)), ("bluetooth-name", "a\nb"),
    ("bluetooth-name", "a\u{0}b"), ("bluetooth-name", String(repeating: "x", count: 100_000)),
    ("time-zone", "Europe/Atlantis"), ("parked", "yes"), ("bluetooth", "maybe"),
  ])
  func badValue_isRefused(_ name: String, _ value: String) {
    guard case .invalidValue(let reason)? = refusal(configuration(), name, value) else {
      Issue.record("\(name) = \(value)")
      return
    }
    #expect(!reason.isEmpty && reason.utf8.count < 300)
  }

  /// Each default and the ends of each range can be set. When the driver's file with this value is read, the settings
  /// are the same.
  @Test func everyKey_takesItsValues_andReadsThemAgain() throws {
    for key in SettingKey.ofDriver {
      var values = [key.text(Settings())]
      switch key.domain {
      case .choice(let words): values += words
      case .number(let range, let unit, let special):
        values += [range.lowerBound, range.upperBound].map { "\(decimalText($0)) \(unit)" }
        values += [special].compactMap { $0 }
      case .timeOfDay: values += ["0:00", "23:59"]
      case .text: break
      }
      for value in values {
        var one = configuration()
        _ = try one.setForDriver(key.name, value)
        let again = configuration(driver: String(decoding: one.driver.bytes, as: UTF8.self))
        #expect(again.settings == one.settings && again.driver == one.driver, "\(key.name)")
        #expect(again.notices.isEmpty)
      }
    }
  }

  @Test func numbers_areThoseOfTheDomain() throws {
    let one = configuration(driver: "phone-wait = 1.5 min\nday-begins = 6:30\nscreen-text = 0")
    #expect(try key("phone-wait").numericValue(one.settings) == 90)
    #expect(try key("day-begins").numericValue(one.settings) == 390)
    #expect(try key("screen-text").numericValue(one.settings) == nil)
    #expect(try key("start-volume-maximum").numericValue(one.settings) == 50)
    #expect(try key("phone-wait").domain == .number(0...600, unit: "s", special: nil))
    #expect(try key("screen-text").domain == .number(85...130, unit: "%", special: "0"))
    #expect(
      try key("bluetooth-name").domain == .text(maximumBytes: 60, mayBeEmpty: true))
  }

  @Test func newerValuesOfTheDriver_replaceThoseOfAFile_butNotFixedOnes() throws {
    var newer = configuration()
    _ = try newer.setForDriver("replay-gain", "album")
    _ = try newer.setForDriver("language", "de")
    var reread = configuration(driver: "replay-gain = track\nstart = play", owner: "language = en")
    reread.use(newer.driver)
    #expect(reread.settings.replayGain == .album && reread.settings.start == .resume)
    #expect(reread.settings.language == "en" && reread.driver == newer.driver)
    #expect(reread.origin(of: try key("start")) == .standard)
  }

  @Test func valuesOfADaemon_changeOnlyKeysOfTheDriver() {
    let settings = Settings().using([
      ("screen-clock", "12h"), ("output", "null"), ("screen-text", "loud"), ("colour", "red"),
      ("time-zone", "Europe/Berlin"),
    ])
    #expect(settings.screenClock == .hours12 && settings.output == "default")
    #expect(settings.screenTextScale == nil && settings.timeZone?.name == "Europe/Berlin")
  }

  // MARK: Damage

  @Test func damagedFile_givesDefaultsForItsDamagedLines() {
    let one = configuration(
      driver: "replay-gain = loud\nstart = pl\u{0}ay\nlanguage = de\ngarbage\nphone-wait = 5")
    #expect(one.settings.language == "de" && one.settings.replayGain == .off)
    #expect(one.settings.start == .resume && one.settings.phoneWait == .seconds(30))
    #expect(one.driver.values == ["language": "de"] && one.driver.isDamaged)
    #expect(one.notices.map(\.line) == [1, 2, 4, 5])
    #expect(one.notices.allSatisfy { $0.kind == .wrong && $0.file == "driver.conf" })
  }

  @Test func randomBytes_giveDefaults() {
    var random = SeededRandom(27)
    for _ in 0..<200 {
      let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
      let one = Configuration(
        [.init(name: "d", bytes: bytes, layer: .driver)], checks: checks)
      #expect(one.settings == Settings())
    }
  }

  @Test func damageInOtherFiles_isNoDamageOfTheDriver() {
    let one = configuration(driver: "start = play", owner: "garbage\nreplay-gain = loud")
    #expect(!one.driver.isDamaged && one.notices.count == 2)
  }

  @Test func keysOfALaterVersion_areKept_upToALimit() throws {
    var one = configuration(driver: "glow = 7\nreplay-gain = track\nglow = 8")
    #expect(one.notices.map(\.kind) == [.wrong, .wrong] && !one.driver.isDamaged)
    _ = try one.setForDriver("replay-gain", "album")
    let text = String(decoding: one.driver.bytes, as: UTF8.self)
    #expect(text.hasSuffix("\nreplay-gain = album\nglow = 8\n"))
    let many = (0..<5000).map { "key-\($0) = 1" }.joined(separator: "\n")
    #expect(configuration(driver: many).driver.bytes.count < 3000)
  }
}
