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
        take(event)
      case .starved(let file): logStarvation(file)
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
    case .formatChanged:
      break
    case .damaged(let file, let error):
      log(.trackDamaged, "\(file.path): \(error)", at: now)
    case .moreDamage(let file, let places):
      log(.trackDamaged, "\(file.path): \(places) more places were skipped", at: now)
    case .failed(let file, let error, let isGone):
      if let notice = music.failed(file, error, isGone: isGone) { outbox.put(.notice(notice)) }
      log(.trackFailed, "\(file.path): \(error)", at: now)
    case .output(let device, let conversion):
      sound.opened(device, conversion)
      sound.card = chosenCard()
      if let test = device.cardTest { memory.noteTest(of: test.card, step: test.step) }
      logAndTrace(
        .outputOpened,
        "\(sound.output): \(device.sampleRate) Hz \(device.samples) \(device.layout.name), "
          + "period \(device.periodFrames), buffer \(device.bufferFrames) frames"
          + (conversion.map { "; converting \($0)" } ?? ""), at: now)
    case .outputFailed(let error):
      sound.lost(error)
      logAndTrace(.outputFailed, error.reason, at: now)
      outbox.put(.notice(UnitNotice(.outputGone)))
    case .outputRegained:
      sound.recovered()
      logAndTrace(.outputReturned, "the output works again", at: now)
      outbox.put(.notice(UnitNotice(.outputBack)))
    case .changedOver(let seconds):
      logAndTrace(
        .outputChanged, "silent for \(Int(seconds * 1000)) ms while the output changed", at: now)
    case .realTimeRefused(let property):
      sound.refused = property
      logAndTrace(.realTimeRefused, "the output plays without \(property)", at: now)
    case .ranDry(let nanoseconds):
      sound.addUnderrun(at: nanoseconds)
      let text = "the output received frames too late; playback continues"
      log.limited(.outputUnderrun, text, at: now)
      trace(.outputUnderrun, text, at: now)
    case .starvationEnded(let seconds):
      let milliseconds = Int((seconds * 1000).rounded())
      log.limited(.trackContinues, "silent for \(milliseconds) ms: no data arrived", at: now)
    case .overlayFailed(_, let error):
      log(.chimeFailed, "the chime cannot be played: \(error)", at: now)
    case .applied(_, _, let heard):
      sound.soundHeard(at: .near(nanoseconds: heard))
    case .ended, .overlayBegan, .overlayEnded:
      break
    }
  }

  /// See ``NowPlayingCenter/willPerformLater``.
  func performsLater(_ request: MediaRequest, of origin: PressOrigin?) -> Bool {
    let isOfPerson = origin?.isBluetooth != true || settings.playOnConnect == .obey
    return music.note(request, isOfPerson: isOfPerson)
  }

  private func logStarvation(_ file: MusicFile) {
    let text = "playback waits for \(file.path): its medium is slow or does not answer"
    log.limited(.trackWaits, text, at: .now())
    trace(.trackWaits, text, at: .now())
  }

  /// Adds an event of the sound to the log and to the trace.
  private func logAndTrace(_ event: LogEvent, _ text: String, at now: MonotonicInstant) {
    log(event, text, at: now)
    trace(event, text, at: now)
  }

  private func trace(_ event: LogEvent, _ text: String, at now: MonotonicInstant) {
    let entry = TraceEntry.sink("\(event.rawValue): \(text)", at: now.sinceOrigin)
    sound.add(entry)
    outbox.put(.trace(entry))
  }
}
