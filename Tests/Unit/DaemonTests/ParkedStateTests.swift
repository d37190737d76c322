import Settings
import Testing

@testable import Daemon

@Suite struct ParkedStateTests {
  @Test func line_withoutAWire_isUnknown_untilAProgramTells() {
    var parked = ParkedState(.line)
    #expect(parked.isParked == nil)
    for state in [true, false, nil] {
      let isPermitted = parked.tell(state)
      #expect(isPermitted && parked.isParked == state)
    }
  }

  @Test(arguments: [(Settings.Parked.always, true), (.never, false)])
  func otherSetting_decides(_ setting: Settings.Parked, _ isParked: Bool) {
    var parked = ParkedState(setting)
    for state in [true, false, nil] {
      let isPermitted = parked.tell(state)
      #expect(!isPermitted && parked.isParked == isParked)
    }
    parked.setting = .line
    #expect(parked.isParked == nil)
  }

  @Test func toldState_staysWhileTheSettingChanges() {
    var parked = ParkedState(.line)
    _ = parked.tell(true)
    parked.setting = .never
    #expect(parked.isParked == false)
    parked.setting = .line
    #expect(parked.isParked == true)
  }
}
