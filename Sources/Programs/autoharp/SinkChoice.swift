import ALSASink
import AmplifierControl
import AudioEngine
import HeadUnit

/// The output that the options ask for.
enum SinkChoice {
  /// It can be used; the notice says so if it is not the one that was to be expected.
  case sink(any AudioSink, notice: String?)
  /// It cannot.
  case refused(reason: String)

  /// Tries the device, if it is to be one.
  ///
  /// - Parameter trouble: where it is said that the amplifier cannot be switched.
  init(_ options: PlayOptions, trouble: PendingFailures) {
    ALSASink.prepareProcess()
    switch options.output {
    case .null:
      self = .sink(Self.silence(options), notice: nil)
    case .wav(let path):
      self = .sink(WAVSink(path: path), notice: nil)
    case .alsa(let name):
      // Made first: it mutes the amplifier before anything touches the device.
      let sink = Self.device(name, options, trouble)
      if let problem = ALSASink.problem(opening: name) {
        self = .refused(
          reason: "\(problem.reason). 'autoharp --list-outputs' lists the outputs.")
      } else {
        self = .sink(sink, notice: nil)
      }
    case nil:
      let sink = Self.device("default", options, trouble)
      if let problem = ALSASink.problem(opening: "default") {
        self = .sink(
          Self.silence(options), notice: Self.whySilent(problem))
      } else {
        self = .sink(sink, notice: nil)
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

  private static func device(
    _ name: String, _ options: PlayOptions, _ trouble: PendingFailures
  ) -> ALSASink {
    let buffering = ALSASink.Buffering(
      periodFrames: options.periodFrames, bufferMilliseconds: options.bufferMilliseconds)
    let muting = options.amplifier.map { configuration in
      ALSASink.Muting(configuration.makeAmplifier()) { trouble.put($0.reason) }
    }
    return ALSASink(name: name, buffering: buffering, muting: muting)
  }
}
