internal import AudioCodecs
internal import AudioEngine
internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import SystemClock

// The player's events, for the log, the trace and the facts.
extension UnitDaemon {
  func take(_ event: LocalPlayer.Event) {
    let now = MonotonicInstant.now()
    switch event {
    case .started(let file, let description, let place):
      music.started(file)
      log(
        .info,
        "plays \(place + 1)/\(unit.player.count) \(file.path) [\(description.codec)]", at: now)
    case .metadataChanged(let file, let metadata):
      log(.info, "\(file.path): now \(metadata.title ?? "untitled")", at: now)
    case .formatChanged:
      break
    case .damaged(let file, let error):
      log(.warning, "\(file.path): \(error)", at: now)
    case .moreDamage(let file, let places):
      log(.warning, "\(file.path): \(places) more places were left out", at: now)
    case .failed(let file, let error):
      if let notice = music.failed(file, "\(error)") { onNotice?(notice) }
      log(.warning, "\(file.path): \(error)", at: now)
    case .output(let device, let conversion):
      sound.opened(device, conversion)
      tell(
        .info,
        "output \(sound.output): \(device.sampleRate) Hz \(device.samples) \(device.layout.name), "
          + "period \(device.periodFrames), buffer \(device.bufferFrames) frames"
          + (conversion.map { "; converting \($0)" } ?? ""), at: now)
    case .outputFailed(let error):
      sound.lost(error)
      tell(.error, error.reason, at: now)
      onNotice?(UnitNotice(.outputGone))
    case .outputRegained:
      sound.regained()
      tell(.notice, "the output is back", at: now)
      onNotice?(UnitNotice(.outputBack))
    case .changedOver(let seconds):
      tell(.info, "silent for \(Int(seconds * 1000)) ms while the output changed over", at: now)
    case .realTimeRefused(let words):
      sound.refused = words
      tell(.warning, "plays with no \(words)", at: now)
    case .ranDry(let nanoseconds):
      sound.ranDry(at: nanoseconds)
      let words = "the output was not fed in time, and plays on"
      log.repeated(.warning, .ranDry, words, at: now)
      trace(words, at: now)
    case .fed(let seconds):
      let words = "silent for \(Int((seconds * 1000).rounded())) ms, as nothing came to play"
      log.repeated(.notice, .fed, words, at: now)
    case .overlayFailed(_, let error):
      log(.warning, "the chime cannot be played: \(error)", at: now)
    case .applied(_, _, let heard):
      sound.heard(at: .near(nanoseconds: heard))
    case .ended, .overlayBegan, .overlayEnded:
      break
    }
  }

  func starved(_ file: MusicFile) {
    let words = "waits for \(file.path): its storage is slow, or does not answer"
    log.repeated(.warning, .starved, words, at: .now())
    trace(words, at: .now())
  }

  /// Adds an event of the sound to the log and to the trace.
  private func tell(_ level: LogLine.Severity, _ words: String, at now: MonotonicInstant) {
    log(level, words, at: now)
    trace(words, at: now)
  }

  private func trace(_ words: String, at now: MonotonicInstant) {
    let entry = TraceEntry.sink(words, at: now.sinceOrigin)
    sound.add(entry)
    onTrace?(entry)
  }
}
