internal import NowPlaying
internal import Reports
internal import Settings
internal import UnitState

extension LogLine.Severity {
  init(_ level: Settings.LogLevel) {
    self =
      switch level {
      case .error: .error
      case .warning: .warning
      case .notice: .notice
      case .info: .info
      case .debug: .debug
      }
  }
}

extension LogEvent {
  init(_ kind: SettingsNotice.Kind) {
    self =
      switch kind {
      case .wrong: .configurationWrong
      case .remark: .configurationRemark
      }
  }

  init(_ kind: StateNotice.Kind) {
    self =
      switch kind {
      case .damaged: .stateDamaged
      case .notSaving: .stateNotSaving
      case .savingAgain: .stateSaving
      }
  }

  /// Nil for a change that has a line of its own already.
  init?(_ change: SoundChange.Event) {
    switch change {
    case .primary: self = .playbackTaken
    case .interruptionBegan: self = .playbackInterrupted
    case .interruptionEnded: self = .playbackContinued
    case .paused: self = .playbackPaused
    case .stopped: self = .playbackStopped
    case .outputLost, .outputRegained: return nil
    }
  }
}
