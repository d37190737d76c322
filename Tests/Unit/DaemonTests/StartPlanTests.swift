import Testing
import UnitState

@testable import Daemon
@testable import Settings

/// What plays after a start.
@Suite struct StartPlanTests {
  private let phone = UnitState.PhoneSource(
    address: "AA:BB:CC:DD:EE:01", name: "Ann's", wasPlaying: true)

  private func plan(
    _ change: (inout UnitState, inout Settings) -> Void = { _, _ in }
  ) -> StartPlan {
    var (state, settings) = (UnitState(), Settings())
    settings.start = .resume
    settings.isBluetoothOn = true
    settings.phoneWait = .seconds(30)
    change(&state, &settings)
    return StartPlan(state, settings)
  }

  @Test func resume_playsWhatHasPlayed() {
    #expect(plan { state, _ in state.wasPlaying = true } == .music(plays: true))
    #expect(plan { state, _ in state.wasPlaying = false } == .music(plays: false))
  }

  @Test func play_andPaused_doNotDependOnTheLastRun() {
    for wasPlaying in [true, false] {
      #expect(
        plan { state, settings in
          (state.wasPlaying, settings.start) = (wasPlaying, .play)
        } == .music(plays: true))
      #expect(
        plan { state, settings in
          (state.wasPlaying, settings.start) = (wasPlaying, .paused)
        } == .music(plays: false))
    }
  }

  @Test func phoneThatHasPlayed_isAwaited() {
    #expect(plan { state, _ in state.phoneSource = phone } == .phone(phone))
  }

  @Test func phoneThatWasPaused_isNotAwaited() {
    let plan = plan { state, _ in
      state.phoneSource = phone
      state.phoneSource?.wasPlaying = false
    }
    #expect(plan == .music(plays: false))
  }

  @Test func phone_withoutBluetoothOrWithoutAWait_isNotAwaited() {
    #expect(
      plan { state, settings in
        (state.phoneSource, settings.isBluetoothOn) = (phone, false)
      } == .music(plays: false))
    #expect(
      plan { state, settings in
        (state.phoneSource, settings.phoneWait) = (phone, .zero)
      } == .music(plays: false))
  }

  @Test func appThatWasToPlay_isAwaited_unlessTheUnitStartsPaused() {
    let app = UnitState.WantedApp(session: "app-radio", name: "Radio")
    for (start, expected) in [
      (.resume, .app(app, thenMusic: false)), (.play, .app(app, thenMusic: true)),
      (.paused, .music(plays: false)),
    ] as [(Settings.StartPolicy, StartPlan)] {
      let found = plan { state, settings in (state.wantedApp, settings.start) = (app, start) }
      #expect(found == expected)
      #expect(!found.playsMusic)
    }
    // The phone is the later of both, because the unit forgets it when an app plays.
    #expect(
      plan { state, _ in (state.wantedApp, state.phoneSource) = (app, phone) } == .phone(phone))
  }

  @Test func thirdFailedStart_isSafeMode_whateverHasPlayed() {
    func failing(_ starts: Int) -> StartPlan {
      plan { state, settings in
        (state.phoneSource, state.wasPlaying, settings.start) = (phone, true, .play)
        for _ in 0...starts { state.starts.begin(reasonOfLast: "crashed or killed", boot: "1") }
      }
    }
    #expect(failing(2) == .phone(phone))
    #expect(failing(3) == .safeMode(failures: 3))
    #expect(!failing(3).playsMusic && failing(3).phone == nil)
  }
}
