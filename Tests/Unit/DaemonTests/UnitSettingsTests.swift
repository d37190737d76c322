import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import Settings
import TestKit
import Testing

@testable import Daemon

/// The settings of the driver in the daemon, with a real storage.
@Suite struct UnitSettingsTests {
  private final class Bench {
    let loop = EventLoop()
    let folder: TemporaryFolder
    let log = UnitLog(write: { _ in })
    let settings: UnitSettings

    init(_ folder: TemporaryFolder? = nil, owner: String = "", data: String = "") throws {
      let folder = try folder ?? TemporaryFolder()
      self.folder = folder
      let state = data.isEmpty ? folder.url.path : data
      try folder.write("unit.conf", Array("state-folder = \(state)\n\(owner)\n".utf8))
      settings = UnitSettings(
        loop, Self.read(folder), UnitClock(loop, socket: folder.path("none"), keeper: { .chip }),
        Turns(loop), log: log)
    }

    static func read(_ folder: TemporaryFolder) -> Configuration {
      Configuration(
        files: [folder.path("unit.conf")], hasDriver: true,
        checks: SettingChecks(output: { _ in nil }, amplifier: { _ in nil }))
    }

    func answer(
      _ ask: (@escaping (Result<SettingReport, Refusal>) -> Void) -> Void
    ) throws -> Result<SettingReport, Refusal> {
      var result: Result<SettingReport, Refusal>?
      ask { result = $0 }
      try loop.turn { result != nil }
      return try #require(result)
    }

    func set(_ key: String, _ value: String) throws -> SettingReport {
      try answer { settings.set(key, to: value, completion: $0) }.get()
    }

    func code(
      _ ask: (@escaping (Result<SettingReport, Refusal>) -> Void) -> Void
    ) throws -> Refusal.Code? {
      if case .failure(let refusal) = try answer(ask) { refusal.code } else { nil }
    }

    func logged(_ event: LogEvent) -> Int {
      log.lines.count { $0.text.hasPrefix("\(event.rawValue): ") }
    }
  }

  @Test func change_appliesAtOnce_andIsStoredWhenItIsAnswered() throws {
    let bench = try Bench()
    var answer: SettingReport?
    bench.settings.set("replay-gain", to: "album") { answer = try? $0.get() }
    #expect(bench.settings.takeChange()?.replayGain == .off && bench.settings.revision == 2)
    #expect(bench.settings.state.setting("replay-gain")?.value == "album")
    #expect(answer == nil)
    try bench.loop.turn { answer != nil }
    #expect(answer?.source == .driver && answer?.value == "album" && answer?.isFixed == false)
    #expect(Bench.read(bench.folder).settings.replayGain == .album)
    #expect(bench.logged(.settingChanged) == 1)
  }

  @Test func reset_restoresTheDefault() throws {
    let bench = try Bench()
    _ = try bench.set("phone-wait", "45 s")
    #expect(bench.settings.takeChange()?.phoneWait == .seconds(30))
    let reset = try bench.answer { bench.settings.reset("phone-wait", completion: $0) }.get()
    #expect(reset.value == "30 s" && reset.standard == "30 s" && reset.source == .standard)
    #expect(bench.settings.takeChange()?.phoneWait == .seconds(45))
    #expect(Bench.read(bench.folder).settings == Bench.read(bench.folder).settings.using([]))
    #expect(Bench.read(bench.folder).driver.values.isEmpty)
  }

  @Test func sameValue_isNoChange_butItIsStored() throws {
    let bench = try Bench()
    _ = try bench.set("replay-gain", "off")
    #expect(bench.settings.takeChange() == nil)
    #expect(Bench.read(bench.folder).driver.values == ["replay-gain": "off"])
  }

  @Test func refusedChange_changesNothing() throws {
    let bench = try Bench(owner: "replay-gain = track")
    for (key, value, code) in [
      ("replay-gain", "album", Refusal.Code.settingFixed), ("start", "never", .invalidSetting),
      ("output", "null", .notOfDriver), ("colour", "red", .unknownSetting),
      ("bluetooth-name", String(repeating: "x", count: 5000), .invalidSetting),
    ] {
      #expect(
        try bench.code { bench.settings.set(key, to: value, completion: $0) } == code, "\(key)")
    }
    #expect(
      try bench.code { bench.settings.reset("replay-gain", completion: $0) } == .settingFixed)
    #expect(
      bench.settings.takeChange() == nil && bench.settings.revision == 1
        && bench.settings.changeCount == 0)
    #expect(!FileManager.default.fileExists(atPath: bench.folder.path("settings.conf")))
  }

  @Test func manyChanges_areAllAnswered_andTheLastIsStored() throws {
    let bench = try Bench()
    var answers = 0
    for number in 0...100 {
      bench.settings.set("start-volume-maximum", to: "\(number)") { result in
        if case .success = result { answers += 1 }
      }
    }
    try bench.loop.turn { answers == 101 }
    #expect(Bench.read(bench.folder).settings.startVolumeMaximum == 100)
    #expect(bench.settings.revision == 102)
  }

  @Test func end_waitsForTheStorage() throws {
    let bench = try Bench()
    var answers = 0
    for value in ["track", "album", "off"] {
      bench.settings.set("replay-gain", to: value) { _ in answers += 1 }
    }
    bench.settings.shutDown(within: Int32(Hang.milliseconds))
    #expect(answers == 3)
    #expect(Bench.read(bench.folder).driver.values == ["replay-gain": "off"])
  }

  @Test func storageThatCannotBeWritten_isReported_andTheValueApplies() throws {
    let bench = try Bench(data: "/nowhere/at/all")
    for value in ["album", "track"] {
      #expect(
        try bench.code { bench.settings.set("replay-gain", to: value, completion: $0) }
          == .settingsNotSaved)
    }
    #expect(bench.settings.takeChange()?.replayGain == .off)
    #expect(bench.logged(.settingsNotSaved) == 1)
    // A reload must not lose the values that are not stored.
    let count = bench.settings.changeCount
    bench.settings.use(Bench.read(bench.folder), readAfter: count)
    #expect(bench.settings.configuration.settings.replayGain == .track)
  }

  @Test func damagedFile_isLogged_kept_andReplaced() throws {
    let folder = try TemporaryFolder()
    try folder.write("settings.conf", Array("start = play\nreplay-gain = \u{1}\n".utf8))
    let bench = try Bench(folder)
    #expect(bench.logged(.settingsDamaged) == 1)
    #expect(bench.settings.configuration.settings.start == .play)
    _ = try bench.set("replay-gain", "album")
    _ = try bench.set("replay-gain", "track")
    #expect(
      try folder.read("settings.conf.damaged") == Array("start = play\nreplay-gain = \u{1}\n".utf8))
    let again = try Bench(folder)
    #expect(again.logged(.settingsDamaged) == 0)
    #expect(
      again.settings.configuration.driver.values == ["start": "play", "replay-gain": "track"])
  }

  // MARK: Reloads

  @Test func reload_usesTheFile_ifTheDriverHasChangedNothing() throws {
    let bench = try Bench()
    try bench.folder.write("settings.conf", Array("replay-gain = album\n".utf8))
    bench.settings.use(Bench.read(bench.folder), readAfter: bench.settings.changeCount)
    #expect(bench.settings.configuration.settings.replayGain == .album)
    #expect(bench.settings.revision == 2)
  }

  @Test func reloadThatBeganBeforeAChange_keepsTheChange() throws {
    let bench = try Bench()
    let (old, count) = (Bench.read(bench.folder), bench.settings.changeCount)
    _ = try bench.set("replay-gain", "album")
    bench.settings.use(old, readAfter: count)
    #expect(bench.settings.configuration.settings.replayGain == .album)
  }

  @Test func keyThatTheOwnerFixes_getsTheValueOfTheOwner_andReturnsToTheDriver() throws {
    let bench = try Bench()
    _ = try bench.set("replay-gain", "album")
    let state = bench.folder.url.path
    func reload(_ line: String) throws -> SettingReport? {
      try bench.folder.write("unit.conf", Array("state-folder = \(state)\n\(line)\n".utf8))
      bench.settings.use(Bench.read(bench.folder), readAfter: bench.settings.changeCount)
      return bench.settings.state.setting("replay-gain")
    }
    let fixed = try #require(try reload("replay-gain = track"))
    #expect(fixed.isFixed && fixed.source == .owner && fixed.value == "track")
    #expect(fixed.location == "\(bench.folder.path("unit.conf")):2")
    _ = try bench.set("start", "play")
    #expect(try reload("")?.value == "album")
  }

  // MARK: The state

  @Test func state_hasEachKeyOfTheDriver() throws {
    let state = try Bench().settings.state
    #expect(state.settings.map(\.key) == SettingKey.ofDriver.map(\.name))
    #expect(state.settings.allSatisfy { $0.value == $0.standard && $0.source == .standard })
    #expect(state.settings.filter(\.isForRoot).map(\.key) == ["parked"])
    #expect(state.settings.filter { $0.effect == .restart }.map(\.key) == ["bluetooth"])
    #expect(state.clock == .chip && !state.canSetTime)
    #expect(state.setting("phone-wait")?.number == 30)
    #expect(state.setting("day-ends")?.text(of: 1125) == "18:45")
    // A surface changes a setting by a number, which it sends as text. The text of the current number equals the
    // current value, except for two settings.
    for setting in state.settings {
      guard let number = setting.number, let text = setting.text(of: number) else { continue }
      #expect(
        text == setting.value || setting.key == "phone-wait" || setting.key == "skip-interval")
    }
  }

  @Test func time_isRefusedWithoutTheHelper() throws {
    let bench = try Bench()
    var codes: [Refusal.Code?] = []
    bench.settings.setTime(1_800_000_000) { codes.append($0?.code) }
    bench.settings.setTime(7) { codes.append($0?.code) }
    #expect(codes == [.noService, .invalidTime] && bench.settings.revision == 1)
  }
}
