import Control
import NowPlaying
import Reports
import ScreenDisplay
import ScreenLayout
import Testing

@testable import Screen

/// The screen is a surface while it has a display.
@Suite(.serialized) struct ShownReportTests {
  private func codes(_ asker: ControlClient, _ shown: Shown) throws -> [String] {
    var report: DiagnosisReport?
    asker.diagnosis(nil) { report = try? $0.get() }
    try shown.turn { report != nil }
    return report?.findings.filter { $0.grade != .good }.map(\.code) ?? []
  }

  private func asker(_ shown: Shown, _ served: Served) throws -> ControlClient {
    let asker = ControlClient(shown.loop, path: served.socket, policy: Served.policy)
    asker.start()
    try shown.turn { asker.state == .connected }
    return asker
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
    // The state still arrives, so the picture is right as soon as the display is back.
    asker.send(.media(.pause))
    try shown.turn { shown.state?.status == .paused }
    shown.display.plug()
    try shown.turn { try! surfaces() == [] }
  }
}
