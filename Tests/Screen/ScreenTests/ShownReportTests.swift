import Control
import NowPlaying
import Reports
import ScreenDisplay
import ScreenLayout
import Testing

@testable import Screen

/// Tests the reports to the daemon about what the screen has painted. The screen reports only while it has a display.
@Suite(.serialized) struct ShownReportTests {
  private func moment(_ milliseconds: Int) -> MonotonicInstant {
    MonotonicInstant(awake: .milliseconds(milliseconds))
  }

  @Test func report_followsEachState_andEachChange_butNotTheSeconds() {
    var report = ShownReport()
    func isReported(_ shown: DisplayedState, _ milliseconds: Int) -> Bool {
      report.record(shown, at: moment(milliseconds))
    }
    var shown = DisplayedState(title: "a", elapsed: .seconds(1))
    #expect(isReported(shown, 0))
    shown.elapsed = .seconds(2)
    #expect(!isReported(shown, 1000))
    report.stateArrived()
    #expect(isReported(shown, 1100))
    #expect(!isReported(shown, 1200))
    shown.title = "b"
    #expect(isReported(shown, 1300))
  }

  @Test func differenceThatDoesNotCountYet_isReportedAgain() throws {
    var report = ShownReport()
    func isReported(_ shown: DisplayedState, at time: MonotonicInstant) -> Bool {
      report.record(shown, at: time)
    }
    let shown = DisplayedState(title: "a")
    #expect(isReported(shown, at: moment(0)))
    report.repeatLater(from: moment(0))
    let time = try #require(report.repetition)
    #expect(time > SurfaceGuard.settlingTime)
    #expect(!isReported(shown, at: moment(500)))
    #expect(isReported(shown, at: MonotonicInstant(awake: time)))
    #expect(report.repetition == nil)
  }

  private func codes(_ asker: ControlClient, _ shown: Shown) throws -> [String] {
    var report: DiagnosisReport?
    asker.call(Unit1.diagnose, .everything) { report = try? $0.get() }
    try shown.turn { report != nil }
    return report?.findings.filter { $0.grade != .good }.map(\.code) ?? []
  }

  private func asker(_ shown: Shown, _ served: Served) throws -> ControlClient {
    let asker = ControlClient(shown.loop, path: served.socket, policy: Served.policy)
    asker.start()
    try shown.turn { asker.state == .connected }
    return asker
  }

  @Test func screenThatPaintsAnotherTitle_isFound_untilItIsRight() throws {
    let served = try Served()
    let shown = try Shown(served)
    try shown.turn { shown.state?.status == .playing && shown.unit.isSettled }
    let asker = try asker(shown, served)
    #expect(!(try codes(asker, shown)).contains("surface.differs"))
    let right = shown.unit.layout
    shown.unit.layout = { state, context, measure in
      right(
        NowPlayingState(
          revision: state.revision, session: state.session,
          content: .generic(GenericContent(id: "x", title: "Another", duration: state.duration)),
          playback: state.playback, commands: state.commands, template: state.template,
          volume: state.volume), context, measure)
    }
    shown.unit.repaintAll()
    try shown.turn { try! codes(asker, shown).contains("surface.differs") }
    shown.unit.layout = right
    shown.unit.repaintAll()
    try shown.turn { try! !codes(asker, shown).contains("surface.differs") }
  }

  @Test func pictureThatStandsStill_isFound() throws {
    let served = try Served()
    let shown = try Shown(served)
    try shown.turn { shown.state?.status == .playing && shown.unit.isSettled }
    let asker = try asker(shown, served)
    let painter = shown.unit.painter
    shown.unit.painter = nil
    asker.call(Commands1.send, SentCommand(.media(.pause))) { _ in }
    try shown.turn { try! codes(asker, shown).contains("surface.stands-still") }
    shown.unit.painter = painter
    shown.unit.repaintAll()
    try shown.turn { try! !codes(asker, shown).contains("surface.stands-still") }
  }

  /// A screen that hangs in a pause shows the right state, and is found.
  @Test func screenThatHangsWhileNothingChanges_isFound() throws {
    let served = try Served()
    let shown = try Shown(served)
    try shown.turn { shown.state?.status == .playing && shown.unit.isSettled }
    let asker = try asker(shown, served)
    asker.call(Commands1.send, SentCommand(.media(.pause))) { _ in }
    try shown.turn { shown.state?.status == .paused && shown.unit.isSettled }
    #expect(!(try codes(asker, shown)).contains("surface.stands-still"))
    shown.unit.painter = nil
    #expect(try codes(asker, shown).contains("surface.stands-still"))
  }

  @Test func screenWithoutADisplay_isNoSurface_andIsNotMissed() throws {
    let served = try Served()
    let shown = try Shown(served)
    try shown.turn { shown.state?.status == .playing && shown.unit.isSettled }
    let asker = try asker(shown, served)
    func surfaces() throws -> [String] {
      try codes(asker, shown).filter { $0.hasPrefix("surfaces.") }
    }
    #expect(try surfaces() == [])
    shown.display.unplug()
    #expect(!shown.unit.isSurface)
    try shown.turn { try! surfaces() == ["surfaces.none"] }
    // The screen still receives the state, so its picture is right as soon as the display is back.
    asker.call(Commands1.send, SentCommand(.media(.pause))) { _ in }
    try shown.turn { shown.state?.status == .paused }
    shown.display.plug()
    try shown.turn { try! surfaces() == [] }
  }
}
