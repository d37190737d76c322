internal import Control
internal import EventLoop
internal import HeadUnit
internal import LocalPlayer
internal import NowPlaying
internal import Reports
internal import Settings

/// What clients of the control socket may ask of the unit, apart from Now Playing. Passes each request on to its part. Knows
/// no server.
///
/// Used on the control thread. No function blocks.
final class UnitControl {
  let parts: UnitParts
  private let turns: Turns

  init(_ parts: UnitParts, _ turns: Turns) {
    self.parts = parts
    self.turns = turns
  }
}

extension UnitControl: ControlledUnit {
  var center: NowPlayingCenter { parts.unit.center }

  var outbox: UnitOutbox { parts.outbox }

  var driverSettings: any ControlledSettings { parts.settings }

  var standingNotice: UnitNotice? { parts.notices.standing }

  func takeNotices() -> [UnitNotice] { parts.notices.take() }

  var soundTrace: [TraceEntry] { parts.sound.history.entries }

  func latency() -> LatencyTable { parts.sound.latency }

  func playChime() -> Refusal? {
    guard let chime = parts.settings.configuration.settings.chime else {
      return Refusal(
        .noChime, "no chime is configured", remedy: "set 'chime = FILE' in the configuration")
    }
    defer { turns.request() }
    return parts.unit.playChime(path: chime, name: "chime").map {
      Refusal(.chimeHeld, "the chime cannot play now: \($0)")
    }
  }

  func endSafeMode() -> Refusal? {
    guard parts.run.isSafeMode else { return Refusal(.noSafeMode, "the unit is not in safe mode") }
    guard ServiceManager.isPresent else {
      return Refusal(
        .noService, "no service manager starts this daemon again",
        remedy: "end it and start it again")
    }
    // A run that was asked to end does not count as failed, so the next start is a normal one.
    parts.run.requestEnd()
    return nil
  }

  func begin(_ hold: SoundHold, for time: Duration?) -> Refusal? {
    parts.holds.begin(hold, for: time)
  }

  func end(_ hold: SoundHold, shouldResume: Bool) -> Refusal? {
    parts.holds.end(hold, shouldResume: shouldResume)
  }

  func power(_ action: PowerAction) -> Refusal? { parts.machine.power(action) }

  var vehicle: VehicleState { parts.car.vehicle }

  func setParked(_ isParked: Bool?) -> Refusal? { parts.car.setParked(isParked) }

  func erasePersonalData(completion: @escaping (Refusal?) -> Void) {
    parts.machine.erasePersonalData(
      parts.settings.configuration.settings, parts.notices.storage.notices, completion: completion)
  }

  var phones: (any ControlledPhones)? { parts.bluetooth.controlled }

  var queue: any ControlledQueue { parts.queue }

  var library: (any ControlledLibrary)? { parts.lists }

  var playlists: any ControlledPlaylists {
    PlaylistCommands(parts.lists, parts.unit.player)
  }

  func album() -> AlbumReport? {
    // Only the local source can list an album. The content may belong to another source.
    guard center.state.session == LocalSource.sessionID else { return nil }
    return parts.unit.album(limit: AlbumReport.limit).map {
      AlbumReport(title: $0.title, items: $0.items)
    }
  }

  var isShellAllowed: Bool { parts.settings.configuration.settings.isConsoleShellAllowed }

  func recentLog(limit: Int) -> [LogLine] {
    parts.log.lines.suffix(max(0, limit))
  }
}
