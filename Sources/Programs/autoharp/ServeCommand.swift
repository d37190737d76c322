import ALSASink
import AmplifierControl
import AudioEngine
import Daemon
import EventLoop
import Glibc
import Settings
import Threads

/// `autoharp serve`: runs the head unit until it is stopped.
struct ServeCommand {
  private let options: ServeOptions

  init(_ options: ServeOptions) { self.options = options }

  func run() -> ExitStatus {
    Heap.keepSmall()
    let options = options
    let configuration = Self.configuration(options)
    let lock: SocketLock?
    do throws(SocketFileError) {
      lock = try ServeLock.acquire(options.socket ?? configuration.settings.controlSocket)
    } catch {
      StandardStreams.printError("\(error); end it, or choose another --socket")
      return .failure
    }
    // The signals must be blocked before other threads are started. A thread that does not block a signal could receive
    // it, and the process would end.
    SignalSource.block([SIGTERM, SIGINT, SIGHUP])
    let card = Self.card(configuration.settings)
    let amplifier = Self.amplifier(configuration.settings)
    var start = UnitDaemon.Start(
      configuration: configuration,
      readConfiguration: { Self.configuration(options) },
      makeSink: { Self.sink($0, card, amplifier, cardTests: $1, onFailure: $2) },
      chosenCard: {
        (card?.chosen).map { .init($0) }
      },
      configurationFiles: options.files, socket: options.socket,
      version: Version.text,
      parts: Version.parts)
    start.soundCards = { SoundCard.all().map { .init($0) } }
    start.mixer = {
      (0..<Self.maximumCards).flatMap { card in
        MixerElement.all(of: "hw:\(card)").map {
          .init(name: "hw:\(card) \($0.name)", percent: $0.percent, isOn: $0.isOn)
        }
      }
    }
    start.amplifier = amplifier
    start.socketLock = lock
    let daemon = UnitDaemon(start)
    do {
      return try daemon.run() == 0 ? .success : .failure
    } catch {
      StandardStreams.printError("the control loop: \(error)")
      return .failure
    }
  }

  /// Maximum number of sound cards whose mixers are read.
  private static let maximumCards = 4

  private static func configuration(_ options: ServeOptions) -> Configuration {
    options.files.isEmpty
      ? Configuration(checks: .standard)
      : Configuration(files: options.files, isNamed: true, hasDriver: true, checks: .standard)
  }

  /// The choice of the sound card. Nil if the configuration names the output. With `sound = auto`, the card is chosen
  /// only on a head unit. On a desktop, ALSA's default PCM is used instead, which leads to the sound server.
  private static func card(_ settings: Settings) -> SoundCardChoice? {
    guard settings.output == Settings().output else { return nil }
    switch settings.sound {
    case .auto: return getenv("AUTOHARP_POWER") == nil ? nil : SoundCardChoice(nil)
    case .usb: return SoundCardChoice(.usb)
    case .dac: return SoundCardChoice(.dac)
    case .hdmi: return SoundCardChoice(.hdmi)
    case .jack: return SoundCardChoice(.jack)
    }
  }

  /// The amplifier that the output mutes. Nil if the output is not a sound card.
  private static func amplifier(_ settings: Settings) -> (any Amplifier)? {
    guard case .alsa = try? OptionValues.output(settings.output) else { return nil }
    return settings.amplifier.flatMap { try? AmplifierConfiguration($0) }?.makeAmplifier()
  }

  /// Creates the sink for the configured output. If its device does not exist yet, the sink waits for the device. The
  /// configuration contains only valid names of outputs.
  private static func sink(
    _ settings: Settings, _ card: SoundCardChoice?, _ amplifier: (any Amplifier)?,
    cardTests: [DeviceFormat.CardTest],
    onFailure: @escaping @Sendable (String) -> Void
  ) -> any AudioSink {
    ALSASink.prepareProcess()
    let milliseconds = settings.outputBuffer.map { Int($0 / .milliseconds(1)) }
    let choice = (try? OptionValues.output(settings.output)) ?? .alsa("default")
    switch choice {
    case .null:
      return NullSink(
        periodFrames: settings.outputPeriodFrames ?? 512, bufferMilliseconds: milliseconds ?? 50)
    case .wav(let path):
      return WAVSink(path: path)
    case .alsa(let name):
      let latency: ALSASink.Latency =
        switch settings.outputLatency {
        case .auto: .auto
        case .rewind: .rewind
        case .periods: .periods
        }
      return ALSASink(
        name: name, choice: card,
        buffering: ALSASink.Buffering(
          periodFrames: settings.outputPeriodFrames, bufferMilliseconds: milliseconds,
          latency: latency, cardTests: cardTests),
        muting: amplifier.map { amplifier in
          ALSASink.Muting(
            amplifier,
            settleMilliseconds: Int(settings.amplifierSettle / .milliseconds(1)),
            holdMilliseconds: Int(settings.amplifierHold / .milliseconds(1))
          ) { onFailure($0.reason) }
        })
    }
  }
}

extension UnitDaemon.Start.SoundCard {
  init(_ card: SoundCard) { self.init(kind: card.kind?.rawValue ?? "", pcm: card.pcm) }
}
