public import AudioEngine
internal import CALSA
internal import Glibc

// Functions that need no sink.
extension ALSASink {
  /// Prepares libasound. Changes the environment, so call this before the first thread starts.
  public static func prepareProcess() { calsa_prepare() }

  /// The reason why the PCM `name` cannot be opened; nil if it can be opened. Opens and closes the
  /// PCM.
  public static func problem(opening name: String) -> SinkError? {
    var pcm: OpaquePointer?
    let status = snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard status == 0, let pcm else { return error(name, "cannot be opened", status) }
    snd_pcm_close(pcm)
    return nil
  }

  static func error(_ name: String, _ what: String, _ status: Int32) -> SinkError {
    SinkError(
      "\(name) \(what): \(String(cString: snd_strerror(status)))",
      isAbsent: [ENOENT, ENODEV, ENXIO].contains(-status))
  }
}
