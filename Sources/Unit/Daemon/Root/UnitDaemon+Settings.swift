internal import EventLoop
internal import HeadUnit
internal import LocalPlayer
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock

// Applies settings to the running daemon.
extension UnitDaemon {
  var settings: Settings { unitSettings.configuration.settings }

  func useChangedSettings() {
    if let old = unitSettings.takeChange() { use(after: old) }
    guard let new = reload.take() else { return }
    let old = settings
    for notice in new.configuration.notices {
      log(LogEvent(notice.kind), notice.description, at: .now())
    }
    unitSettings.use(new.configuration, readAfter: new.changeCount)
    use(after: old)
    if settings.buttons != old.buttons || settings.buttonPictures != old.buttonPictures {
      buttons.use(settings, new.pictures)
      unit.configureButtons()
    }
    if settings.musicFolders != old.musicFolders {
      music.find(in: settings.musicFolders)
      tellVolumes()
    }
    log(.configurationRead, "the configuration was read again", at: .now())
    reload.end()
  }

  /// Passes the settings that a running daemon can apply to each part. A driver cannot change the others.
  private func use(after old: Settings) {
    log.level = LogLine.Severity(settings.logLevel)
    keys.configure(settings)
    following.use(settings)
    music.use(settings)
    unit.center.setLanguage(LanguageTag(settings.language), at: .now())
    bluetooth.use(settings)
    if settings.replayGain != old.replayGain {
      unit.setReplayGain(ReplayGainMode(settings.replayGain))
    }
    unit.setSkipInterval(settings.skipInterval)
    car.use(settings, keys)
    let waiting = SettingKey.waitingForRestart(settings, after: old)
    if !waiting.isEmpty {
      let names = waiting.joined(separator: ", ")
      log(.configurationNeedsRestart, "takes effect at the next start: \(names)", at: .now())
    }
  }
}
