import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon

/// The requests of the daemon to the machine. The requests are files in a folder of the test.
@Suite struct MachineControlTests {
  private let context: PartContext

  init() throws { context = try PartContext() }

  private var mark: String { context.folder.path("data/erase-personal-data") }

  /// - Parameter folder: the folder of the requests. Nil if the machine is not a unit.
  private func control(_ folder: String?) -> MachineControl {
    MachineControl(
      context.loop, folder.map { PowerRequest(folder: context.folder.path($0)) }, mark: mark,
      log: context.log)
  }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: context.folder.path(path))
  }

  @Test(arguments: PowerAction.allCases)
  func power_requestsThisActionOnly_andLogsIt(_ action: PowerAction) throws {
    #expect(control("reports").power(action) == nil)
    let requests = try FileManager.default.contentsOfDirectory(
      atPath: context.folder.path("reports"))
    #expect(requests == [action.rawValue] && context.logged(.unitPower) == 1)
  }

  @Test func power_ofAMachineThatIsNoUnit_isRefused() {
    #expect(control(nil).power(.reboot)?.code == .noService)
    #expect(context.logged(.unitPower) == 0)
  }

  @Test func power_thatCannotBeRequested_isRefused_andNotLogged() {
    #expect(control("missing").power(.reboot)?.code == .powerFailed)
    #expect(context.logged(.unitPower) == 0)
  }

  @Test func erase_whileAnotherOneIsUnderWay_isRefused() throws {
    let control = control("reports")
    var answers: [Refusal.Code?] = []
    for _ in 1...2 {
      control.erasePersonalData(context.settings, []) { answers.append($0?.code) }
    }
    // The second request is refused before the mark of the first request is written.
    #expect(answers == [.tooManyCalls])
    try context.loop.turn { answers.count == 2 }
    #expect(answers.last == .some(nil))
    #expect(exists("data/erase-personal-data") && exists("reports/reboot"))
    #expect(context.logged(.unitErase) == 1)
    control.erasePersonalData(context.settings, []) { answers.append($0?.code) }
    try context.loop.turn { answers.count == 3 }
    #expect(answers.last == .some(nil))
  }
}
