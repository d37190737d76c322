package import Control
internal import HeadUnit
internal import LocalPlayer
package import NowPlaying
package import Reports
internal import Settings
internal import SystemClock

// Applies settings to the running daemon.
extension UnitDaemon {
  package var driverSettings: any ControlledSettings { unitSettings }

  /// Applies the settings that a running daemon can apply, apart from lists.
  func apply(after old: Settings) {
    log.level = LogLine.Severity(settings.logLevel)
    keys?.configure(settings)
    headlights.choose(settings.headlightLine)
    useQueueSettings()
    unit.center.setLanguage(LanguageTag(settings.language), at: .now())
    bluetooth?.use(settings)
    listenToRadio()
    if settings.replayGain != old.replayGain {
      unit.setReplayGain(ReplayGainMode(settings.replayGain))
    }
    unit.setSkipInterval(settings.skipInterval)
    useParkedSetting()
  }

  /// Called after a change by the driver, who cannot change lists.
  func useChange(by new: Settings, after old: Settings) {
    apply(after: old)
    if new.needsRestart(after: old) {
      log(.configurationNeedsRestart, "some changes take effect only at the next start", at: .now())
    }
    turn()
  }

  // MARK: Parked

  private func useParkedSetting() { changeParked { $0.setting = settings.parked } }

  package func setParked(_ isParked: Bool?) -> Refusal? {
    var isPermitted = true
    changeParked { isPermitted = $0.tell(isParked) }
    if isPermitted { return nil }
    return Refusal(
      .parkedConfigured, "the configuration says whether the car is parked",
      remedy: "set 'parked = line'")
  }

  private func changeParked(_ change: (inout ParkedState) -> Void) {
    let before = unitSettings.parked.isParked
    change(&unitSettings.parked)
    if unitSettings.parked.isParked != before { onVehicle?(vehicle) }
  }

  package var vehicle: VehicleState {
    VehicleState(headlightsAreOn: headlights.areOn, isParked: unitSettings.parked.isParked)
  }
}
