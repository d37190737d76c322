internal import Settings
internal import UnitState

/// What plays after a start: nothing, the last phone, the last app, or the unit's own music. The plan is made once,
/// from the configuration and the saved state. If the user presses *play* or *pause* before music is found, this
/// command takes effect instead of the plan (see ``Resumption``). ``UnitBluetooth`` waits for the phone.
/// ``MusicFolders`` finds the music, and continues with the track that ``Resumption`` stores.
enum StartPlan: Equatable {
  /// Nothing plays by itself, and the library, the playlists and the saved queue are not read. The value is the number
  /// of failed starts.
  case safeMode(failures: Int)
  /// The phone that was the last source. The unit waits for this phone; the unit's own music stays paused.
  case phone(UnitState.PhoneSource)
  /// The app that was the last source. The unit waits for it (``UnitApps``); the unit's own music stays paused. If
  /// `thenMusic` is true, the music plays if the app does not come.
  case app(UnitState.WantedApp, thenMusic: Bool)
  /// The unit's own music. If `plays` is false, the music is paused when it is found.
  case music(plays: Bool)

  /// The number of failed starts in a row after which a start is in safe mode.
  private static let failuresForSafeMode = 3

  init(_ state: UnitState, _ settings: Settings) {
    if state.starts.failuresInARow >= Self.failuresForSafeMode {
      self = .safeMode(failures: state.starts.failuresInARow)
    } else if let phone = state.phoneSource, settings.isBluetoothOn, settings.phoneWait > .zero,
      settings.plays(phone.wasPlaying)
    {
      self = .phone(phone)
    } else if let app = state.wantedApp, settings.plays(true) {
      self = .app(app, thenMusic: settings.start == .play)
    } else {
      self = .music(plays: settings.plays(state.wasPlaying))
    }
  }

  var isSafeMode: Bool { if case .safeMode = self { true } else { false } }

  /// The phone for which the unit waits.
  var phone: UnitState.PhoneSource? { if case .phone(let phone) = self { phone } else { nil } }

  /// The app for which the unit waits.
  var app: UnitState.WantedApp? { if case .app(let app, _) = self { app } else { nil } }

  /// True if the unit's own music plays when it is found.
  var playsMusic: Bool { self == .music(plays: true) }
}

extension Settings {
  /// True if the last source plays after the start. `wasPlaying` is true if this source played when the last run ended.
  fileprivate func plays(_ wasPlaying: Bool) -> Bool {
    start == .play || start == .resume && wasPlaying
  }
}
