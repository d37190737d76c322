import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import ScreenDisplay
import ScreenLayout
import ScreenPainter
import Settings
import TestKit
import Testing

@testable import Screen

@Suite(.serialized) struct ServedScreenTests {
  @Test func touches_reachTheDaemon_andChangeThePicture() throws {
    let served = try Served([
      "button = repeat", "button = harp: next", "button = rate",
      "button-picture = harp: M4 20V4h2z",
    ])
    let shown = try Shown(served)
    try shown.turn { shown.state?.status == .playing }
    #expect(
      shown.state?.template.buttons.map(\.kind) == [
        .repeat, .image("harp"), .playbackRate,
      ])
    #expect(shown.state?.template.buttons.map(\.isEnabled) == [true, true, false], "C1")
    try shown.tap("transport.central")
    try shown.turn { shown.state?.status == .paused }
    try shown.turn { shown.unit.scene?["transport.central"] != nil }

    try shown.tap("custom.0")
    try shown.turn { shown.state?.repeatMode == .all }
    let first = shown.state?.lines.title
    try shown.tap("custom.1")
    try shown.turn { shown.state?.lines.title != first }

    try shown.tap("upNext")
    try shown.tap("row.1")
    let wanted = shown.unit.model.shownState.upNext.first?.title
    try shown.turn { shown.state?.lines.title == wanted }
    try shown.tap("upNext")

    try shown.tap("artist")
    try shown.turn {
      if case .album = shown.unit.model.pages.page { true } else { false }
    }
    guard case .album(_, let rows, _) = shown.unit.model.pages.page else {
      Issue.record("no album")
      return
    }
    #expect(rows.map(\.title) == ["Track 1", "Track 2", "Track 3"])
    #expect(rows.map(\.duration) == [.seconds(60), .seconds(60), .seconds(60)])
    #expect(shown.display.changedOutside == 0, "the damage contains every change")
  }

  @Test func unplayableFiles_areANotice() throws {
    let aac: [UInt8] = [0xFF, 0xF1, 0x50, 0x83, 0xFF, 0xFF, 0xFC]
    let served = try Served(
      files: ["a.m4a": aac, "b.aac": aac, "c.ape": Array("MAC ".utf8), "d.mp3": Array("text".utf8)])
    let shown = try Shown(served)
    func notice() -> String? {
      guard case .text(let run)? = shown.unit.scene?["notice.text"]?.content else { return nil }
      return run.text
    }
    try shown.turn { notice() != nil }
    #expect(notice() == LocalizedWords("en").notices.unplayable(4, ["AAC", "APE"]))
  }

  private func notice(_ shown: Shown) -> String? {
    guard case .text(let run)? = shown.unit.scene?["notice.text"]?.content else { return nil }
    return run.text
  }

  @Test func wrongLineOfTheConfiguration_isANoticeOnce() throws {
    // `Served` writes eight lines of the configuration before this line, so this is line 9.
    let served = try Served(["colour = red"])
    let first = try Shown(served)
    try first.turn { notice(first) != nil }
    #expect(notice(first) == LocalizedWords("en").notices.configurationWrong("unit.conf:9"))
    let second = try Shown(served)
    try second.turn { second.unit.isSettled && second.state?.status == .playing }
    #expect(notice(second) == nil)
  }

  @Test func refusedCommand_saysWhy() throws {
    let served = try Served()
    let shown = try Shown(served)
    try shown.turn { shown.state?.status == .playing }
    let words = LocalizedWords("en").notices
    for (code, text) in [
      (.nothingPlaying, words.nothingToPlay), (.noSuchContent, words.noLongerThere),
      (.queueChanged, words.noLongerThere), (.notOffered, words.notWithThisSource),
      (.fixedSpeed, words.speedIsFixed), (.buttonDisabled, words.notWithThisSource),
      (.disabled, words.unavailable), (.sourceAbsent, words.sourceAbsent),
      (.libraryUnavailable, words.libraryBusy), (.noAdapter, words.bluetoothIsOff),
      (.noBluetoothd, words.bluetoothIsOff), (.phoneNotConnected, words.phoneAway),
      (.settingFixed, words.fixedByFile), (.settingsNotSaved, words.notSaved),
      (.failed, words.unavailable),
    ] as [(Refusal.Code, String)] {
      #expect(words.text(of: Refusal(code, "")) == text, "\(code)")
    }
    // A program that is a source says itself why it cannot play.
    #expect(words.text(of: Refusal(.sourceWaits, "No network")) == "No network")
    #expect(
      words.text(of: Refusal(.sourceFailed, "No account", remedy: "Sign in"))
        == "No account · Sign in")
    // The unit has no Bluetooth controller, so the daemon refuses the request.
    shown.unit.client.call(Bluetooth1.find, nil) { shown.unit.noteRefusal($0) }
    try shown.turn { notice(shown) == words.bluetoothIsOff }
  }

  @Test func headlightsThatTheDaemonReports_selectTheAppearanceAndTheBrightness() throws {
    var preferences = ScreenPreferences()
    preferences.light = .headlights
    preferences.brightness = [.day: 90, .night: 30]
    let served = try Served()
    let shown = try Shown(served, preferences)
    func backdrop(_ areOn: Bool) throws -> Background? {
      shown.unit.client.onVehicle?(VehicleState(headlightsAreOn: areOn))
      try shown.turn { shown.unit.isSettled }
      return shown.unit.scene?.backdrop
    }
    let night = try backdrop(true)
    #expect(shown.display.brightness == 30)
    let day = try backdrop(false)
    #expect(shown.display.brightness == 90)
    #expect(night != nil && day != nil && night != day)
    #expect(try backdrop(true) == night)
  }

  /// A tap on a greyed button changes nothing, and the notice says why it is greyed.
  @Test func greyedButton_saysWhy() throws {
    let served = try Served(["button = rate", "button = stars"])
    let shown = try Shown(served)
    try shown.turn { shown.state?.status == .playing }
    #expect(shown.state?.template.buttons.first?.isEnabled == false)
    #expect(shown.unit.scene?.hitAreas.first { $0.id == "custom.0" }?.action == nil)
    try shown.tap("custom.0")
    try shown.turn { notice(shown) == LocalizedWords("en").notices.speedIsFixed }
  }

  @Test func buttonOfAChime_isAccepted() throws {
    // The file of the chime does not exist. The daemon detects this only after it has accepted the button.
    let served = try Served([
      "chime = /nowhere/chime.flac", "button = bell: chime", "button = repeat",
    ])
    let shown = try Shown(served)
    try shown.turn { shown.state?.status == .playing }
    try shown.tap("custom.0")
    // Requests are answered in order. So when this tap has an effect, the first tap has been answered.
    try shown.tap("custom.1")
    try shown.turn { shown.state?.repeatMode == .all }
    #expect(!shown.log.contains { $0.event == .commandRefused }, "\(shown.log)")
  }

  @Test func channel_hasNoBadFinding() throws {
    let served = try Served()
    let shown = try Shown(served)
    try shown.turn { shown.state?.status == .playing }
    var report: DiagnosisReport?
    let asker = ControlClient(shown.loop, path: served.socket, policy: Served.policy)
    asker.start()
    try shown.turn { asker.state == .connected }
    asker.call(Unit1.diagnose, .everything) { report = try? $0.get() }
    try shown.turn { report != nil }
    let channel = try #require(report?.findings.first { "\($0.subject)".contains("screen") })
    #expect(channel.grade != .bad, "\(channel)")
  }

  @Test func hostileCover_showsThePlaceholder_andIsLogged() throws {
    // The header of this picture is valid, but the picture has no pixels.
    let served = try Served(cover: GeneratedPictures.png(900, 900))
    let shown = try Shown(served)
    try shown.turn { shown.log.contains { $0.event == .coverFailed } }
    try shown.turn { shown.unit.isSettled }
    guard case .artwork(let id)? = shown.state?.artwork else {
      Issue.record("the daemon sent a cover")
      return
    }
    #expect(shown.unit.painter?.pictures.colors(of: id) == nil)
  }

  @Test func killedScreen_isReplaced_andPlaybackContinues() throws {
    let served = try Served()
    let shown = try Shown(served)
    try shown.turn { shown.state?.status == .playing }
    for _ in 0..<3 {
      let screen = Served.program("autoharp-screen")
      screen.arguments = ["--scripted", "480x320", "--socket", served.socket]
      let (input, output) = (Pipe(), Pipe())
      screen.standardInput = input
      screen.standardOutput = output
      screen.standardError = FileHandle.nullDevice
      try screen.run()
      // Wait for the line that the screen prints after its first picture.
      let first = output.fileHandleForReading.availableData
      #expect(String(decoding: first, as: UTF8.self).hasPrefix("shown 1 "))
      kill(screen.processIdentifier, SIGKILL)
      screen.waitUntilExit()
    }
    let asker = ControlClient(shown.loop, path: served.socket, policy: Served.policy)
    asker.start()
    try shown.turn { asker.state == .connected }
    var status: PlaybackStatus?
    asker.call(NowPlaying1.state.get) { status = (try? $0.get())?.status }
    try shown.turn { status != nil }
    #expect(status == .playing)
  }

  @Test func pictureOfTheUnit_andOfItsSavedState_isWritten() throws {
    let served = try Served()
    let shown = try Shown(served)
    try shown.turn { shown.state?.status == .playing }
    func run(_ name: String, _ words: [String]) throws -> Int32 {
      let program = Served.program(name)
      program.arguments = words
      try program.run()
      program.waitUntilExit()
      return program.terminationStatus
    }
    let live = served.folder.path("live.png")
    let state = served.folder.path("unit.state")
    let saved = served.folder.path("saved.png")
    #expect(try run("autoharp-screen", ["--png", live, "--socket", served.socket]) == 0)
    #expect(try run("autoharp-screen", ["--save-state", state, "--socket", served.socket]) == 0)
    #expect(try run("autoharp-screen-preview", ["--png", saved, "--state", state]) == 0)
    for path in [live, saved] {
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count > 10_000)
    }
    #expect(
      try run("autoharp-screen-preview", ["--png", saved, "--state", live]) == 1, "no state")
  }
}
