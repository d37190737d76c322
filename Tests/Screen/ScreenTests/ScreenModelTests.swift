import LibraryModel
import NowPlaying
import Reports
@testable import Screen
import ScreenDisplay
import ScreenLayout
import ScreenSamples
import Settings
import SystemClock
import TestKit
import Testing

@Suite struct ScreenModelTests {
  private let panel = Panel(size: PixelSize(width: 800, height: 480), diagonalInches: 7)
  private let now = SampleScene.now

  private func model(_ state: String = "playing") throws -> ScreenModel {
    var model = ScreenModel(ScreenPreferences(), panel: panel, at: now)
    model.setPresent()
    model.receive(try #require(SampleScene.named(state)).state, at: now)
    return model
  }

  private func later(_ seconds: Double) -> MonotonicInstant {
    now.advanced(by: .milliseconds(Int(seconds * 1000)))
  }

  private func scene(_ model: ScreenModel, at moment: MonotonicInstant) -> Scene {
    NowPlayingLayout.scene(
      model.shownState, model.context(panel: panel, at: moment), measure: FixedWidthMeasure())
  }

  private func tap(_ id: ElementID, _ model: inout ScreenModel) throws -> [ScreenRequest] {
    let scene = scene(model, at: now)
    let area = try #require(scene.hitAreas.first { $0.id == id })
    let (x, y) = (area.frame.midX, area.frame.midY)
    return model.handle(.down(0, x: x, y: y, at: now.awake), in: scene, at: now)
      + model.handle(.up(0, x: x, y: y, at: now.awake), in: scene, at: now)
  }

  private func other(_ state: NowPlayingState, volume: Int) -> NowPlayingState {
    NowPlayingState(
      revision: state.revision + 1, session: state.session, content: state.content,
      playback: state.playback, commands: state.commands, upNext: state.upNext,
      template: state.template, volume: Volume(level: VolumeLevel(thousandths: volume)))
  }

  /// The state of a program that is a source.
  private func state(ofApp obstacle: Refusal?) throws -> NowPlayingState {
    // A change of the volume would hide the source for some seconds.
    let volume = try #require(SampleScene.named("playing")).state.volume
    return NowPlayingState(
      revision: 1, session: "app-radio",
      content: .music(
        MusicContent(
          id: "one", metadata: [MetadataItem(.title, "One"), MetadataItem(.appName, "Radio")],
          duration: .finite(.seconds(60)))),
      volume: volume, obstacle: obstacle)
  }

  @Test func program_isShownWithItsPictureAndName_andWithWhatItWaitsFor() throws {
    var pictures = ButtonPictureCache()
    var model = try model()
    let radio = try state(ofApp: nil)
    #expect(pictures.missing(in: radio) == [NowPlayingTemplate.sourcePicture])
    #expect(pictures.missing(in: radio) == [])
    model.receive(radio, at: now)
    func icon() -> Icon.Picture? {
      guard case .icon(let icon)? = scene(model, at: now)["source.icon"]?.content else {
        return nil
      }
      return icon.picture
    }
    #expect(model.context(panel: panel, at: now).source?.name == "Radio")
    #expect(icon() == .symbol(.layers))
    model.hasSourcePicture = true
    #expect(icon() == .source(NowPlayingTemplate.sourcePicture))
    model.receive(try state(ofApp: Refusal(.sourceWaits, "No network")), at: now)
    #expect(model.context(panel: panel, at: now).source?.name == "Radio · No network")
    model.receive(try #require(SampleScene.named("playing")).state, at: now)
    #expect(!model.hasSourcePicture)
  }

  @Test func volume_isShownForTwoSecondsAfterAChange() throws {
    var model = try model()
    #expect(scene(model, at: now)["volume"] == nil)
    model.receive(other(model.shownState, volume: 600), at: now)
    #expect(scene(model, at: later(1.9))["volume"] != nil)
    #expect(scene(model, at: later(2))["volume"] == nil)
  }

  /// The number and the question of the only request.
  private func question(_ requests: [ScreenRequest]) throws -> (Int, LibraryQuestion) {
    #expect(requests.count == 1)
    guard case .askLibrary(let number, let question)? = requests.first else { throw Unexpected() }
    return (number, question)
  }

  private struct Unexpected: Error {}

  @Test func shownPage_isAskedForAgain_whenTheDaemonIsBack() throws {
    var model = try model()
    var library = LibraryState()
    library.condition = .scanning(0, of: 0)
    _ = model.receive(library)
    _ = try tap("browse", &model)
    _ = model.receive(.rows(RowBatch()), number: try question(tap("tile.playlists", &model)).0)
    #expect(model.receive(library).isEmpty, "the same state changes nothing")
    // The daemon ends before it answers.
    let (number, _) = try question(model.pages.refresh())
    model.setAway(at: now)
    #expect(model.receive(LibraryAnswer.failed, number: number).isEmpty)
    model.setPresent()
    _ = model.receive(.rows(RowBatch()), number: try question(model.receive(library)).0)
    #expect(scene(model, at: now)["row.0.title"] != nil)
  }

  @Test func artist_isShownWhenItsFirstAnswerHasArrived() throws {
    var model = try model()
    let name = try #require(model.shownState.lines.subtitle)
    let artist = LibraryRow(kind: .artist, id: 5, title: name)
    func isPlayingShown() -> Bool { scene(model, at: now)["transport.central"] != nil }
    _ = try tap("artist", &model)
    let (letters, _) = try question(model.receiveArtist([artist], name: name).requests)
    #expect(isPlayingShown())
    let (rows, _) = try question(model.receive(.letters([]), number: letters))
    #expect(isPlayingShown())
    _ = model.receive(.rows(RowBatch()), number: rows)
    #expect(scene(model, at: now)["collection.tile"] != nil)
  }

  @Test func artist_isNotShown_afterAnotherTouch() throws {
    var model = try model()
    let name = try #require(model.shownState.lines.subtitle)
    let artist = LibraryRow(kind: .artist, id: 5, title: name)
    _ = try tap("artist", &model)
    _ = try tap("browse", &model)
    #expect(model.receiveArtist([artist], name: name).requests.isEmpty)
    #expect(scene(model, at: now)["tile.artists"] != nil)
    _ = try tap("corner", &model)
    _ = try tap("artist", &model)
    let (letters, _) = try question(model.receiveArtist([artist], name: name).requests)
    _ = try tap("browse", &model)
    _ = model.receive(.letters([]), number: letters)
    #expect(scene(model, at: now)["tile.artists"] != nil)
  }

  @Test func mousePointer_isShownUntilItRestsForFiveSeconds_orUntilATouch() throws {
    var model = try model()
    func dot(at moment: MonotonicInstant) -> PixelRect? {
      scene(model, at: moment)["pointer"]?.frame
    }
    let shown = scene(model, at: now)
    #expect(dot(at: now) == nil && model.nextDeadline == nil)
    _ = model.handle(.hover(x: 100, y: 200, at: now.awake), in: shown, at: now)
    #expect(dot(at: now)?.midX == 100 && dot(at: now)?.midY == 200)
    // The pointer also moves with the mouse while the mouse button is pressed.
    _ = model.handle(.down(0, x: 100, y: 200, at: now.awake), in: shown, at: now)
    let second = later(1)
    _ = model.handle(.move(0, x: 120, y: 200, at: second.awake), in: shown, at: second)
    #expect(dot(at: second)?.midX == 120)
    _ = model.handle(.up(0, x: 120, y: 200, at: second.awake), in: shown, at: second)
    #expect(model.nextDeadline == later(6).awake)
    _ = model.pass(to: later(6))
    #expect(dot(at: later(6)) == nil && model.nextDeadline == nil)
    _ = model.handle(.hover(x: 1, y: 1, at: later(7).awake), in: shown, at: later(7))
    #expect(dot(at: later(7)) != nil)
    _ = model.handle(.down(1, x: 5, y: 5, at: later(7).awake), in: shown, at: later(7))
    #expect(dot(at: later(7)) == nil)
    // After the touch, a press of the mouse button does not show the pointer again. A movement with the button pressed
    // does not show it either.
    _ = model.handle(.cancel(1, at: later(8).awake), in: shown, at: later(8))
    _ = model.handle(.down(0, x: 5, y: 5, at: later(8).awake), in: shown, at: later(8))
    _ = model.handle(.move(0, x: 9, y: 5, at: later(8).awake), in: shown, at: later(8))
    #expect(dot(at: later(8)) == nil)
  }

  @Test func notice_endsAfterFourSeconds_isReplacedByANewerOne_andHiddenByTheVolume() throws {
    var model = try model()
    model.notices.show(.warning, "one", at: now)
    model.notices.show(.stick, "two", at: later(1))
    #expect(scene(model, at: later(1))["notice.text"] != nil)
    model.receive(other(model.shownState, volume: 600), at: later(1))
    #expect(scene(model, at: later(2))["notice"] == nil)
    #expect(scene(model, at: later(4))["notice"] != nil, "the four seconds are not over")
    #expect(scene(model, at: later(5))["notice"] == nil)
  }

  @Test func standingNotice_isShownAgainAfterOtherNoticesAndTheVolume() throws {
    var model = try model()
    model.notices.showStanding(.warning, "standing", at: now)
    #expect(scene(model, at: later(1000))["notice.text"] != nil)
    model.notices.show(.stick, "two", at: now)
    // Only a standing notice can be touched.
    #expect(!scene(model, at: later(1)).hitAreas.contains { $0.id == "notice" })
    #expect(scene(model, at: later(5)).hitAreas.contains { $0.id == "notice" })
    model.receive(other(model.shownState, volume: 600), at: later(6))
    #expect(scene(model, at: later(7))["notice"] == nil)
    #expect(scene(model, at: later(9))["notice"] != nil)
  }

  private func notice(_ model: ScreenModel, at moment: MonotonicInstant) -> String? {
    guard case .text(let run)? = scene(model, at: moment)["notice.text"]?.content else {
      return nil
    }
    return run.text
  }

  @Test func noticeThatCanWait_isShownAfterTheOthers() throws {
    var model = try model()
    model.notices.show(.warning, "one", at: now)
    model.notices.showLater(.stick, "first", at: later(1))
    model.notices.showLater(.stick, "second", at: later(1))
    #expect(notice(model, at: later(3)) == "one")
    #expect(model.nextDeadline == later(4).awake)
    _ = model.pass(to: later(4))
    #expect(notice(model, at: later(11)) == "first")
    #expect(model.nextDeadline == later(12).awake)
    _ = model.pass(to: later(12))
    #expect(notice(model, at: later(19)) == "second")
    #expect(model.nextDeadline == nil)
    #expect(notice(model, at: later(20)) == nil)
  }

  @Test func noticeThatCanWait_makesRoomForAnother_andReturns() throws {
    var model = try model()
    model.notices.showLater(.stick, "stick", at: now)
    #expect(notice(model, at: now) == "stick")
    model.notices.show(.warning, "one", at: later(1))
    #expect(notice(model, at: later(2)) == "one")
    _ = model.pass(to: later(5))
    #expect(notice(model, at: later(12)) == "stick")
    model.notices.showStanding(.warning, "standing", at: later(12))
    #expect(notice(model, at: later(12)) == "standing")
    _ = model.pass(to: later(100))
    #expect(notice(model, at: later(100)) == "standing")
    #expect(try tap("notice", &model) == [])
    #expect(notice(model, at: now) == "stick")
  }

  @Test func noticeBehindAStandingNotice_hasNoDeadline() throws {
    var model = try model()
    model.notices.showStanding(.warning, "standing", at: now)
    model.notices.showLater(.stick, "stick", at: now)
    model.notices.show(.warning, "one", at: later(1))
    #expect(notice(model, at: later(2)) == "one")
    #expect(model.nextDeadline == nil)
    _ = model.pass(to: later(6))
    #expect(notice(model, at: later(6)) == "standing")
    #expect(model.nextDeadline == nil)
  }

  @Test func noticeBeforeTheFirstPicture_isShownWithIt() throws {
    var model = try model()
    model.notices.showLater(.stick, "stick", at: nil)
    #expect(notice(model, at: later(1)) == nil)
    model.notices.showNextLater(at: later(60))
    #expect(notice(model, at: later(67)) == "stick")
  }

  @Test func noticesOfARemovedMedium_areNotShown() throws {
    var model = try model()
    model.notices.showLater(.stick, "a", at: now)
    model.notices.showLater(.stick, "b", at: now)
    model.notices.dropLaterNoticesOfMedia()
    model.notices.show(.stick, "removed", at: later(1))
    #expect(notice(model, at: later(2)) == "removed")
    _ = model.pass(to: later(6))
    #expect(notice(model, at: later(6)) == nil)
  }

  @Test func noticesThatCanWait_areLimited_andRemovedWhenTheDaemonDisconnects() throws {
    var model = try model()
    for index in 0..<100 { model.notices.showLater(.stick, "\(index)", at: now) }
    var shown: [String?] = []
    for step in 0..<7 {
      shown.append(notice(model, at: later(Double(8 * step))))
      _ = model.pass(to: later(Double(8 * step + 8)))
    }
    #expect(shown == ["0", "1", "2", "3", "4", nil, nil])
    model.notices.showLater(.stick, "a", at: now)
    model.notices.showLater(.stick, "b", at: now)
    model.setAway(at: now)
    model.setPresent()
    _ = model.pass(to: later(9))
    #expect(notice(model, at: later(9)) == nil)
  }

  @Test func standingNotice_isRemovedByATap() throws {
    var model = try model()
    model.notices.showStanding(.warning, "standing", at: now)
    #expect(try tap("notice", &model) == [])
    #expect(scene(model, at: now)["notice"] == nil)
  }

  @Test func noticeAboutSafeMode_touch_startsTheUnitNormally() throws {
    var model = try model()
    model.notices.showStanding(.warning, "safe mode", touch: .endSafeMode, at: now)
    #expect(try tap("notice", &model) == [.endSafeMode])
    #expect(scene(model, at: now)["notice"] == nil)
  }

  @Test func standingNotice_isRemovedWhenTheDaemonDisconnects() throws {
    var model = try model()
    model.notices.showStanding(.warning, "standing", at: now)
    model.setAway(at: now)
    model.setPresent()
    #expect(scene(model, at: now)["notice"] == nil)
  }

  @Test func daemonAway_hidesTheOldState() throws {
    var model = try model()
    model.notices.show(.warning, "one", at: now)
    _ = try tap("upNext", &model)
    model.setAway(at: now)
    let brief = scene(model, at: now)
    #expect(brief.hitAreas.isEmpty && brief.scrubber == nil && brief.swipeLeft == nil)
    #expect(brief["notice"] == nil)
    #expect(brief["row.0.title"] != nil, "a restart takes less than two seconds")
    #expect(scene(model, at: later(2))["row.0.title"] == nil)
    #expect(scene(model, at: later(2))["phone.name"] == nil)
    #expect(model.pages.page == .queue, "the page comes back")
  }

  @Test func upNext_opens_jumpsToATrack_andStays() throws {
    var model = try model()
    #expect(
      try tap("upNext", &model) == [
        .command(.template(.upNext), isSilent: true),
        .askQueue(1, .rows(first: 0, limit: 4)),
      ])
    #expect(model.pages.page == .queue)
    // Until the question about the queue is answered, the page shows the list that the source publishes.
    #expect(try tap("row.1", &model) == [.playItem(model.shownState.upNext[0].id)])
    #expect(model.pages.page == .queue)
    #expect(try tap("row.0", &model) == [], "this track plays already")
    #expect(try tap("upNext", &model) == [])
    #expect(model.pages.page == .nowPlaying)
    _ = try tap("upNext", &model)
    let scene = scene(model, at: now)
    #expect(model.handle(.back, in: scene, at: now) == [])
    #expect(model.pages.page == .nowPlaying)
  }

  @Test func album_opensOnlyAfterARequest() throws {
    var model = try model()
    let rows = (0..<9).map { MenuRow(id: "\($0)", .number($0 + 1), "t \($0)") }
    model.receiveAlbum(title: "Unasked", rows: rows)
    #expect(model.pages.page == .nowPlaying)
    #expect(
      try tap("artist", &model) == [
        .command(.template(.albumArtist), isSilent: true), .artist("Low Meridian"),
      ])
    model.receiveAlbum(title: "Album", rows: rows)
    #expect(scene(model, at: now)["row.3.title"] != nil)
    _ = try tap("page.forward", &model)
    #expect(try tap("row.0", &model) == [.playItem("4")])
    #expect(model.pages.page == .nowPlaying)
  }

  @Test func afterADrag_theBarKeepsTheNewPositionForOneSecond() throws {
    var model = try model()
    let before = scene(model, at: now)
    let bar = try #require(before.scrubber)
    _ = model.handle(
      .down(0, x: bar.track.midX, y: bar.track.y, at: now.awake), in: before, at: now)
    _ = model.handle(
      .up(0, x: bar.track.midX, y: bar.track.y, at: now.awake), in: before, at: now)
    let position = bar.position(atX: bar.track.midX)
    #expect(model.context(panel: panel, at: later(0.5)).seekPreview == position)
    #expect(model.nextDeadline == later(1).awake)
    #expect(model.context(panel: panel, at: later(1)).seekPreview == nil)
  }

  private func phones(_ names: [String], request: PhonesState.Request? = nil) -> PhonesState {
    PhonesState(
      service: .ready,
      adapters: [
        PhonesState.Adapter(id: "hci0", address: "00", name: "Autoharp", isPowered: true)
      ],
      phones: names.map {
        PhonesState.Phone(
          address: $0, name: $0, adapter: "hci0", isConnected: true,
          isControlling: true)
      }, request: request)
  }

  @Test func phones_areShown_andANewConnectionIsANotice() throws {
    var model = try model()
    #expect(scene(model, at: now)["phone.icon"] == nil, "the phones are unknown")
    _ = model.receive(phones(["Ana"]), at: now)
    #expect(
      scene(model, at: now)["notice"] == nil, "the phone was connected before the screen started")
    #expect(model.bluetooth == .on(phones: ["Ana"]))
    _ = model.receive(phones(["Ana", "Bo"]), at: now)
    guard case .text(let run)? = scene(model, at: now)["notice.text"]?.content else {
      Issue.record("no notice")
      return
    }
    #expect(run.text == LocalizedWords("en").notices.connected("Bo"))
  }

  @Test func pairing_isAnsweredOnce_andDeniedAfter30Seconds() throws {
    var model = try model()
    let request = PhonesState.Request(number: 7, address: "A", name: "Ana", passkey: "123456")
    _ = model.receive(phones([], request: request), at: now)
    #expect(scene(model, at: now).hitAreas.map(\.id.rawValue) == ["reject", "accept"])
    #expect(try tap("accept", &model) == [.answerPairing(isAccepted: true)])
    #expect(model.takePairingNumber() == 7)
    #expect(model.takePairingNumber() == nil, "once")

    let next = PhonesState.Request(number: 8, address: "A", name: "Ana", passkey: nil)
    _ = model.receive(phones([], request: next), at: now)
    #expect(!model.mustDenyPairing(at: later(29)))
    model.isReversing = true
    #expect(model.mustDenyPairing(at: later(29)))
    model.isReversing = false
    #expect(model.mustDenyPairing(at: later(30)))
    _ = model.receive(phones([]), at: now)
    #expect(!model.mustDenyPairing(at: later(30)), "the phone has cancelled the request")
  }

  @Test(arguments: [480, 800], [["Ana"], []])
  func phone_isAddedWithThreePresses_whileMusicPlays(_ width: Int, _ names: [String]) throws {
    let size = PixelSize(width: width, height: width == 480 ? 320 : 480)
    let panel = Panel(size: size, diagonalInches: width == 480 ? 3.5 : 7)
    var model = ScreenModel(ScreenPreferences(), panel: panel, at: now)
    model.setPresent()
    model.receive(try #require(SampleScene.named("playing")).state, at: now)
    _ = model.receive(phones(names), at: now)
    func press(_ id: ElementID) throws -> [ScreenRequest] {
      let scene = NowPlayingLayout.scene(
        model.shownState, model.context(panel: panel, at: now), measure: FixedWidthMeasure())
      let area = try #require(scene.hitAreas.first { $0.id == id }).frame
      return model.handle(.down(0, x: area.midX, y: area.midY, at: now.awake), in: scene, at: now)
        + model.handle(.up(0, x: area.midX, y: area.midY, at: now.awake), in: scene, at: now)
    }
    _ = try press("browse")
    _ = try press("tab.phone")
    #expect(try press(names.isEmpty ? "message.key" : "key") == [.findPhones])
  }

  @Test func phoneThatPlays_showsItsAppAsTheSource() throws {
    var model = try model()
    let playing = try #require(model.state)
    model.receive(
      NowPlayingState(
        revision: 9, session: "phone-Ana", content: playing.content, playback: playing.playback,
        volume: playing.volume), at: now)
    var state = phones(["Ana"])
    _ = model.receive(state, at: now)
    #expect(model.context(panel: panel, at: now).source?.name == "Ana")
    state.phones[0].app = "Fathom"
    _ = model.receive(state, at: now)
    #expect(model.context(panel: panel, at: now).source?.name == "Fathom")
    #expect(model.context(panel: panel, at: now).source?.symbol == .phone)
  }

  @Test func pairing_isDeniedByACall() throws {
    var model = try model("interrupted")
    let request = PhonesState.Request(number: 1, address: "A", name: "Ana", passkey: "123456")
    _ = model.receive(phones([], request: request), at: now)
    #expect(model.mustDenyPairing(at: now))
  }

  @Test func nothingPlaying_offersPairingOnlyWithAnAdapter() throws {
    var model = try model("nothing")
    let library = ScreenAction.menu(.showTab(.library))
    #expect(scene(model, at: now).hitAreas.map(\.action) == [library])
    _ = model.receive(phones([]), at: now)
    #expect(scene(model, at: now).hitAreas.map(\.action) == [library, .pairPhone])
  }
}

@Suite struct AppearanceSelectorTests {
  @Test func clock_selectsDayAndNight_andAnUnknownTimeIsNight() {
    var preferences = ScreenPreferences()
    func at(_ minute: Int?) -> Appearance {
      var rule = AppearanceSelector()
      return rule.appearance(preferences, minute: minute, light: nil)
    }
    #expect(at(7 * 60 - 1) == .night)
    #expect(at(7 * 60) == .day)
    #expect(at(19 * 60) == .night)
    #expect(at(nil) == .night)
    preferences.dayBegins = 20 * 60
    preferences.dayEnds = 5 * 60
    #expect(at(23 * 60) == .day)
    #expect(at(12 * 60) == .night)
    preferences.light = .day
    #expect(at(nil) == .day)
  }

  @Test func sensor_selectsDayAndNightWithHysteresis_orElseTheClock() {
    var preferences = ScreenPreferences()
    preferences.light = .sensor
    preferences.lightThreshold = 100
    var rule = AppearanceSelector()
    func at(_ light: Double?, minute: Int? = nil) -> Appearance {
      rule.appearance(preferences, minute: minute, light: light)
    }
    #expect(at(100) == .day)
    #expect(at(85) == .day)
    #expect(at(79) == .night)
    #expect(at(115) == .night)
    #expect(at(121) == .day)
    #expect(at(nil, minute: 0) == .night)
  }

  @Test func headlights_selectDayAndNight_orElseTheClock() {
    var preferences = ScreenPreferences()
    preferences.light = .headlights
    var rule = AppearanceSelector()
    func at(_ headlights: Bool?, minute: Int? = nil) -> Appearance {
      rule.appearance(preferences, minute: minute, light: nil, headlights: headlights)
    }
    #expect(at(false, minute: 0) == .day)
    #expect(at(true, minute: 12 * 60) == .night)
    #expect(at(nil, minute: 12 * 60) == .day)
    #expect(at(nil) == .night)
  }
}

@Suite struct WallClockTests {
  @Test func timeOfDay_hasTheConfiguredFormat_andChangesWithTheMinute() throws {
    // 2026-07-01 12:07:42.25 UTC.
    let clock = WallClock { (1_782_907_662, 250_000_000) }
    let reading = try #require(clock.reading(in: zone("Europe/Berlin")))
    let now = SampleScene.now
    #expect(reading.clock(.hours24, at: now)?.text == "14:07")
    #expect(reading.clock(.hours12, at: now)?.text == "2:07")
    #expect(reading.clock(.off, at: now) == nil)
    #expect(
      reading.clock(.hours24, at: now)?.changes == now.advanced(by: .milliseconds(17_751)))
    #expect(WallClock { nil }.reading(in: nil) == nil)
  }

  @Test func clock_isRightInSummerAndWinter() throws {
    let texts = try [1_782_907_662, 1_767_268_800].map { seconds in
      let reading = try #require(WallClock { (seconds, 0) }.reading(in: zone("Australia/Sydney")))
      return reading.clock(.hours24, at: SampleScene.now)?.text
    }
    #expect(texts == ["22:07", "23:00"])
  }

  private func zone(_ name: String) -> ClockZone? { ClockZone.all.first { $0.name == name } }
}
