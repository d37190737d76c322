import AudioEngine
import LocalPlayer
import MusicFiles
import NowPlaying
import SystemClock

extension LocalPlayer {
  /// Creates a player with the clock of the machine.
  convenience init(
    files: [MusicFile], engine: PlaybackEngine, replayGain: ReplayGainSettings = .init()
  ) {
    self.init(files: files, engine: engine, replayGain: replayGain, clock: { .now() })
  }
}
