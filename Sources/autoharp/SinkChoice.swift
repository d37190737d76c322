import ALSASink
import AudioEngine

/// The output that the options ask for.
enum SinkChoice {
  /// It can be used; the notice says so if it is not the one that was to be expected.
  case sink(any AudioSink, notice: String?)
  /// It cannot.
  case refused(reason: String)

  /// Tries the device, if it is to be one.
  init(_ options: PlayOptions) {
    ALSASink.prepareProcess()
    switch options.output {
    case .null:
      self = .sink(Self.silence(options), notice: nil)
    case .wav(let path):
      self = .sink(WAVSink(path: path), notice: nil)
    case .alsa(let name):
      if let problem = ALSASink.problem(opening: name) {
        self = .refused(
          reason: "\(problem.reason). 'autoharp --list-outputs' lists the outputs.")
      } else {
        self = .sink(Self.device(name, options), notice: nil)
      }
    case nil:
      if let problem = ALSASink.problem(opening: "default") {
        self = .sink(
          Self.silence(options), notice: Self.whySilent(problem))
      } else {
        self = .sink(Self.device("default", options), notice: nil)
      }
    }
  }

  private static func silence(_ options: PlayOptions) -> NullSink {
    NullSink(
      periodFrames: options.periodFrames ?? 512,
      bufferMilliseconds: options.bufferMilliseconds ?? 50)
  }

  /// A sentence for somebody who named no output and hears nothing.
  static func whySilent(_ problem: SinkError) -> String {
    let why = problem.isAbsent ? "No sound card (\(problem.reason));" : "\(problem.reason);"
    return "\(why) playing silently, in real time."
  }

  private static func device(_ name: String, _ options: PlayOptions) -> ALSASink {
    let buffering = ALSASink.Buffering(
      periodFrames: options.periodFrames, bufferMilliseconds: options.bufferMilliseconds)
    return ALSASink(name: name, buffering: buffering)
  }
}
