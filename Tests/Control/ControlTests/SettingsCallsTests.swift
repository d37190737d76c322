import Console
import ConsoleLink
import Control
import EventLoop
import NowPlaying
import Reports
import TestKit
import Testing

/// Tests `org.autoharp.Settings1`, and the method that sets whether the car is parked.
@Suite struct SettingsCallsTests {
  private let bench: Bench
  private var settings: FakeSettings { bench.unit.fakeSettings }

  init() throws { bench = try Bench() }

  @Test func state_arrivesAsItIs() throws {
    let client = try bench.client()
    #expect(try bench.answer { client.call(Settings1.state.get, $0) }.get() == settings.state)
  }

  @Test func isFixed_isTrueIfAFileSetsTheKey() {
    #expect(settings.state.settings.map(\.isFixed) == [false, true, false, false, true, false])
  }

  @Test func changes_arriveWithTheirArguments_andReturnTheSetting() throws {
    let client = try bench.client()
    let set = try bench.answer {
      client.call(Settings1.set, SettingChange("replay-gain", to: "album"), $0)
    }.get()
    #expect(set == settings.state.setting("replay-gain"))
    let reset = try bench.answer { client.call(Settings1.reset, "screen-text", $0) }.get()
    #expect(reset == settings.state.setting("screen-text"))
    try bench.answer { client.call(Settings1.setTime, 1_800_000_000, $0) }.get()
    #expect(
      try bench.answer { client.call(Settings1.repair, $0) }.get() == "settings.conf.wrong-1")
    #expect(
      settings.done == [
        "set replay-gain album", "reset screen-text", "time 1800000000", "repair",
      ])
  }

  @Test func refusals_keepTheirCodes() throws {
    let client = try bench.client()
    for code: Refusal.Code in [.settingFixed, .invalidSetting, .settingsNotSaved, .timeKept] {
      settings.refusal = Refusal(code, "no")
      let set = try bench.answer {
        client.call(Settings1.set, SettingChange("replay-gain", to: "x"), $0)
      }
      #expect(set.refusal?.code == code)
      #expect(try bench.answer { client.call(Settings1.setTime, 1, $0) }.refusal?.code == code)
      #expect(try bench.answer { client.call(Settings1.repair, $0) }.refusal?.code == code)
    }
  }

  @Test func longKeyAndMissingArguments_areRefused() throws {
    let peer = try bench.peer()
    let long = String(repeating: "k", count: 60_000)
    for (member, arguments) in [
      ("Set", [BusValue.string(long), .string("x")]), ("Reset", [.string(long)]),
      ("Set", [.string("replay-gain")]), ("Reset", []), ("SetTime", [.string("noon")]),
    ] {
      let answer = try bench.call(peer, Settings1.interface.name, member, arguments)
      #expect(throws: (any Error).self) { try answer.get() }
    }
    #expect(settings.done.isEmpty)
  }

  @Test func subscriber_getsEachChange_andTheStateAfterARestart() throws {
    let (client, other) = (try bench.client(), try bench.client())
    var revisions: [Int] = []
    client.onSettings = { revisions.append($0.revision) }
    other.onSettings = { _ in Issue.record("not subscribed") }
    client.subscribeToSettings()
    try bench.loop.turn { revisions == [7] }
    #expect(client.settings == settings.state)
    settings.state.revision = 8
    try bench.loop.turn { revisions == [7, 8] }
    try bench.restart()
    try bench.loop.turn { revisions == [7, 8, 8] }
  }

  @Test func unsubscribedClient_getsNoChange() throws {
    let peer = try bench.peer()
    var count = 0
    let rule = MatchRule(
      path: ControlInterface.path, interface: Settings1.interface.name, member: "Changed")
    let match = try peer.match(rule) { _ in count += 1 }
    for member in ["Subscribe", "Unsubscribe"] {
      _ = try bench.call(peer, Settings1.interface.name, member).get()
    }
    settings.state.revision = 8
    _ = try bench.call(peer, Settings1.interface.name, "GetSettings").get()
    #expect(count == 0)
    withExtendedLifetime(match) {}
  }

  @Test func textOfANumber_isWrittenAsInAFile_withinTheRange() throws {
    let state = settings.state
    #expect(state.setting("phone-wait")?.text(of: 20) == "20 s")
    #expect(state.setting("phone-wait")?.text(of: 0.5) == "0.5 s")
    #expect(state.setting("phone-wait")?.text(of: 9999) == "600 s")
    #expect(state.setting("screen-text")?.text(of: -1) == "85 %")
    #expect(state.setting("day-begins")?.text(of: 425) == "7:05")
    #expect(state.setting("replay-gain")?.text(of: 1) == nil)
    #expect(
      state.setting("phone-wait")?.number == 45 && state.setting("screen-text")?.number == nil)
  }

  // MARK: Parked

  @Test func parkedState_isSentToFollowers() throws {
    let client = try bench.client()
    var states: [Bool?] = []
    client.onVehicle = { states.append($0.isParked) }
    client.follow(vehicle: true)
    try bench.loop.turn { states == [nil] }
    for (index, state) in [true, false, nil].enumerated() {
      try bench.answer { client.call(Unit1.setParked, state, $0) }.get()
      try bench.loop.turn { states.count == index + 2 }
    }
    #expect(states == [nil, true, false, nil])
    let peer = try bench.peer()
    let wrong = try bench.call(peer, Unit1.interface.name, "SetParked", [.string("maybe")])
    #expect(throws: (any Error).self) { try wrong.get() }
    bench.unit.refusal = Refusal(.parkedConfigured, "no")
    #expect(
      try bench.answer { client.call(Unit1.setParked, true, $0) }.refusal?.code == .parkedConfigured
    )
  }

  // MARK: The console

  @Test func console_setsAndResets() throws {
    let console = ControlBackendTests.Console(bench)
    #expect(
      try console.lines(.config(.set("replay-gain", to: "album"))) == ["replay-gain = album"])
    #expect(
      try console.lines(.config(.reset("bluetooth-name"))) == [
        "bluetooth-name = none (the default); takes effect at the next start"
      ])
    #expect(settings.done == ["set replay-gain album", "reset bluetooth-name"])
    settings.refusal = Refusal(.settingFixed, "no")
    #expect(try console.code(.config(.set("x", to: "y"))) == "setting-fixed")
  }

  @Test func keysAndValues_areCompleted() throws {
    let console = ControlBackendTests.Console(bench)
    _ = try console.ask(.now)
    console.backend.nameTimeLimit = Hang.limit
    func names(_ request: NameRequest) throws -> [String] {
      var answer: NameAnswer?
      console.backend.lookUp(request) { answer = $0 }
      try console.turn(until: { answer != nil })
      return try #require(answer).names
    }
    #expect(try names(NameRequest(.settings, "")).contains("replay-gain"))
    #expect(try !names(NameRequest(.settings, "")).contains("phone-wait"), "it is fixed")
    #expect(try names(NameRequest(.settings, "scr")) == ["screen-text"])
    let modes = try names(NameRequest(.values(setting: "replay-gain"), ""))
    #expect(modes == ["off", "track", "album", "auto"])
    #expect(try names(NameRequest(.values(setting: "replay-gain"), "t")) == ["track"])
    #expect(try names(NameRequest(.values(setting: "phone-wait"), "")).isEmpty)
    #expect(try names(NameRequest(.values(setting: "none"), "")).isEmpty)
  }
}
