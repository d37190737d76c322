import ALSASink
import AmplifierControl
import AudioEngine
import HeadUnit

/// The output that is chosen for the given options.
enum SinkChoice {
  /// A usable output. If the user has named no output and the default device cannot be used, this is a silent output,
  /// and `notice` contains the reason.
  case sink(any AudioSink, notice: String?)
  /// The requested output cannot be used.
  case refused(reason: String)

  /// Chooses the output. If the output is an ALSA device, opens this device once as a test.
  ///
  /// - Parameter failures: receives the message if the amplifier cannot be switched.
  init(_ options: PlayOptions, failures: PendingFailures) {
    ALSASink.prepareProcess()
    switch options.output {
    case .null:
      self = .sink(Self.silence(options), notice: nil)
    case .wav(let path):
      self = .sink(WAVSink(path: path), notice: nil)
    case .alsa(let name):
      // The sink mutes the amplifier when it is created. The test opens the device, and the amplifier must be muted
      // before this, so the sink is created first.
      let sink = Self.device(name, options, failures)
      if let problem = ALSASink.problem(opening: name) {
        self = .refused(
          reason: "\(problem.reason). 'autoharp --list-outputs' lists the outputs.")
      } else {
        self = .sink(sink, notice: nil)
      }
    case nil:
      let sink = Self.device("default", options, failures)
      if let problem = ALSASink.problem(opening: "default") {
        self = .sink(
          Self.silence(options), notice: SilenceReason(problem).notice)
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

  private static func device(
    _ name: String, _ options: PlayOptions, _ failures: PendingFailures
  ) -> ALSASink {
    let buffering = ALSASink.Buffering(
      periodFrames: options.periodFrames, bufferMilliseconds: options.bufferMilliseconds,
      latency: options.latency)
    let muting = options.amplifier.map { configuration in
      ALSASink.Muting(configuration.makeAmplifier()) { failures.put($0.reason) }
    }
    return ALSASink(name: name, buffering: buffering, muting: muting)
  }
}

/// The reason why the music plays silently. Used only if the user has named no output.
enum SilenceReason: Equatable {
  /// The machine has no sound card. The text is the reason that the sink reports.
  case noSoundCard(String)
  /// The default output cannot be used. The text is the reason that the sink reports.
  case unusable(String)

  init(_ problem: SinkError) {
    self = problem.isAbsent ? .noSoundCard(problem.reason) : .unusable(problem.reason)
  }

  /// The notice for the user.
  var notice: String {
    switch self {
    case .noSoundCard(let reason):
      "No sound card was found (\(reason)). The music plays silently, in real time."
    case .unusable(let reason): "\(reason). The music plays silently, in real time."
    }
  }
}
