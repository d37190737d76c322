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
}

extension Settings {
  /// True if the change includes a setting that is read only at the start.
  func needsRestart(after old: Settings) -> Bool {
    output != old.output || sound != old.sound || outputLatency != old.outputLatency
      || outputPeriodFrames != old.outputPeriodFrames
      || outputBuffer != old.outputBuffer || outputRate != old.outputRate
      || amplifier != old.amplifier || amplifierSettle != old.amplifierSettle
      || amplifierHold != old.amplifierHold || duckingDecibels != old.duckingDecibels
      || artworkFolder != old.artworkFolder || artworkFolderSize != old.artworkFolderSize
      || artworkFolderFiles != old.artworkFolderFiles
      || isBluetoothOn != old.isBluetoothOn || stateFolder != old.stateFolder
      || controlSocket != old.controlSocket || isLibraryOn != old.isLibraryOn
      || libraryFolder != old.libraryFolder
  }
}
