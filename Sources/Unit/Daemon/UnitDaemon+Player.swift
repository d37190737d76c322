internal import AudioCodecs
internal import AudioEngine
internal import Control
internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock

// The player's events, for the log, the trace and the facts.
extension UnitDaemon {
  func takePlayerEvents() {
    for event in unit.turn() {
      switch event {
      case .player(let event):
        bluetooth.handle(event)
        sound.handle(event)
        take(event)
      case .starved(let file): sound.starved(file)
      case .cover(let notice): log.limited(notice, at: .now())
      }
    }
  }

  private func take(_ event: LocalPlayer.Event) {
    let now = MonotonicInstant.now()
    switch event {
    case .started(let file, let description, let place):
      music.started(file)
      unitLibrary.setPreferredFolder(file.path)
      startLibrary()
      movedFiles.update()
      log(
        .trackStarted,
        "\(place + 1)/\(unit.player.count) \(file.path) [\(description.codec)]", at: now)
    case .metadataChanged(let file, let metadata):
      log(.trackMetadata, "\(file.path): \(metadata.title ?? "untitled")", at: now)
    case .damaged(let file, let error):
      log(.trackDamaged, "\(file.path): \(error)", at: now)
    case .moreDamage(let file, let places):
      log(.trackDamaged, "\(file.path): \(places) more places were skipped", at: now)
    case .failed(let file, let error, let isGone):
      if let notice = music.failed(file, error, isGone: isGone) { outbox.put(.notice(notice)) }
      log(.trackFailed, "\(file.path): \(error)", at: now)
    default: break
    }
  }

  /// See ``NowPlayingCenter/willPerformLater``.
  func performsLater(_ request: MediaRequest, of origin: PressOrigin?) -> Bool {
    let isOfPerson = origin?.isBluetooth != true || settings.playOnConnect == .obey
    return music.note(request, isOfPerson: isOfPerson)
  }
}
