import NowPlaying
import SystemClock
import Testing
import UnitState

@testable import Daemon

@Suite struct StateSaverTests {
  @Test func forgetPhone_thePhoneOfTheLastSource_isNotAwaitedAgain() throws {
    var state = UnitState()
    state.phoneSource = .init(address: "AA:BB:CC:DD:EE:01", name: "Ann's", wasPlaying: true)
    var saver = StateSaver(state, folders: [])
    saver.forgetPhone("AA:BB:CC:DD:EE:02", at: .now())
    #expect(try UnitState(decoding: saver.final()).phoneSource == state.phoneSource)
    saver.forgetPhone("AA:BB:CC:DD:EE:01", at: .now())
    #expect(try UnitState(decoding: saver.final()).phoneSource == nil)
    #expect(saver.nextDeadline != nil)
  }

  @Test func waitStopped_thePhoneIsNotAwaitedAgain() throws {
    var state = UnitState()
    state.phoneSource = .init(address: "AA:BB:CC:DD:EE:01", name: "Ann's", wasPlaying: true)
    var saver = StateSaver(state, folders: [])
    saver.notePhoneStopped("AA:BB:CC:DD:EE:02", at: .now())
    #expect(try UnitState(decoding: saver.final()).phoneSource?.wasPlaying == true)
    saver.notePhoneStopped("AA:BB:CC:DD:EE:01", at: .now())
    #expect(try UnitState(decoding: saver.final()).phoneSource?.wasPlaying == false)
    #expect(saver.nextDeadline != nil)
  }
}
