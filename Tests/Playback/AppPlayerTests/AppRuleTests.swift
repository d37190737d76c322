import AppPlayer
import AppStream
import HeadUnit
import LocalPlayer
import NowPlaying
import SystemClock
import TestKit
import Testing

/// Rules of docs/now-playing.md for sources that are apps, with the real engine and a sound card.
@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct AppRuleTests {
  // MARK: Several players

  /// The app hangs while the second stream begins, and names the new leader late.
  @Test(arguments: [44_100, 48_000])
  func E8_twoStreamsOfAnApp_joinWithoutAGap_andMakeOneTrackChange(rate: Int) throws {
    let unit = try AppUnit()
    let app = try TestApp(unit, "radio", tag: 1, isChosen: true)
    let (first, second) = (app.streams[0], try app.openStream(tag: 2, rate: rate))
    try unit.player.mark(
      second.number, FrameMark(frame: 0, content: TestApp.song("Second")), of: app.session)
    app.describe = {
      $0.playback = .streams(
        app.playing, players: [first.number, second.number], leader: first.number)
    }
    first.wanted = 44_100
    unit.player.finish(first.number, at: 44_100, of: app.session)
    unit.send(.play)
    try unit.turn { unit.state.status == .playing }
    app.answers = false
    let before = unit.unit.center.publications.count
    #expect(unit.state.content?.id == "First")
    try unit.turn { app.heard(second) ?? 0 > 20_000 }
    #expect(unit.state.content?.id == "Second" && unit.state.status == .playing)
    app.describe = {
      $0.playback = .streams(app.playing, players: [second.number], leader: second.number)
      $0.content = TestApp.song("Second")
    }
    app.publish(.playing())
    try unit.turn { app.heard(second) ?? 0 > 70_000 }
    let published = unit.unit.center.publications.dropFirst(before)
    #expect(published.map(\.reasons) == [[.trackChange]])
    let heard = try unit.heard()
    let (one, two) = (first.frames.found(in: heard), second.frames.found(in: heard))
    #expect(one.count == 1 && two.count == 1)
    #expect(one.first?.numbers.upperBound == 44_100 && two.first?.numbers.lowerBound == 0)
    // The card is set up again for another rate. Nothing is lost.
    #expect(rate != 44_100 || one.first?.place.upperBound == two.first?.place.lowerBound)
  }

  // MARK: Eligibility

  @Test func D2_appThatNeverAppears_hasThePatternOfWhatItForgets() throws {
    let unit = try AppUnit()
    let forgets: [(FailurePattern, (TestApp) -> Void)] = [
      (.notActivated, { _ = $0.session.setActive(false) }),
      (.noHandler, { $0.describe = { $0.commands = [] } }),
      (.disabled, { $0.describe = { $0.commands = [CommandOffer(.play, isEnabled: false)] } }),
      (.noContent, { $0.describe = { $0.content = nil } }),
    ]
    unit.unit.player.resume()
    try unit.turn { unit.state.session == "local" && unit.state.status == .playing }
    for (number, (pattern, forget)) in forgets.enumerated() {
      let app = try TestApp(unit, "app\(number)")
      forget(app)
      app.publish(.paused)
      guard case .refused(let missing) = app.session.claim(isPerson: true) else {
        Issue.record("\(pattern)")
        continue
      }
      #expect(missing.count == 1)
      var inspection = unit.unit.center.inspection(at: .now())
      inspection.about = app.session.id
      #expect(DecisionTree.walk(.neverAppears, inspection)?.pattern == pattern)
    }
  }
}
