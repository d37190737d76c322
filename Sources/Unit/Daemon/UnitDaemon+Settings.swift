internal import Control
internal import EventLoop
internal import HeadUnit
internal import LocalPlayer
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock

// Applies settings to the running daemon.
extension UnitDaemon {
  /// Applies the settings that a running daemon can apply, apart from lists.
  func apply(after old: Settings) {
    log.level = LogLine.Severity(settings.logLevel)
    keys.configure(settings)
    useQueueSettings()
    unit.center.setLanguage(LanguageTag(settings.language), at: .now())
    bluetooth.use(settings)
    sound.measurePresses(settings.isRadioTimed, besideSocket: thisRun.socket)
    if settings.replayGain != old.replayGain {
      unit.setReplayGain(ReplayGainMode(settings.replayGain))
    }
    unit.setSkipInterval(settings.skipInterval)
    car.use(settings, keys)
  }

  /// Applies a change by the driver, who cannot change lists.
  func useChange(after old: Settings) {
    apply(after: old)
    if settings.needsRestart(after: old) {
      log(.configurationNeedsRestart, "some changes take effect only at the next start", at: .now())
    }
  }
}
