internal import Artwork
internal import AudioCodecs
public import AudioEngine
package import CarLines
package import Control
public import EventLoop
internal import HeadUnit
internal import LocalPlayer
internal import NowPlaying
internal import Reports
public import Settings
internal import SystemClock
internal import UnitState

extension UnitDaemon {
  /// The parameters of the daemon.
  public struct Start {
    /// The configuration at the start.
    public var configuration: Configuration
    /// Reads the configuration again. Can be called on any thread.
    public var readConfiguration: @Sendable () -> Configuration
    /// A sound card of the machine.
    public struct SoundCard: Hashable, Sendable {
      /// The value of the setting `sound` that stands for the card. Empty if no value stands for the card.
      public var kind: String
      /// ALSA's name of the PCM.
      public var pcm: String

      /// The name of the PCM, followed by the kind if the kind is not empty.
      var text: String { kind.isEmpty ? pcm : "\(pcm) (\(kind))" }

      public init(kind: String, pcm: String) {
        self.kind = kind
        self.pcm = pcm
      }
    }

    /// Returns the sound card that the output has opened last. Nil if the output does not choose a card.
    public var chosenCard: @Sendable () -> SoundCard?
    /// Lists the sound cards of the machine. The kernel answers at once.
    public var soundCards: @Sendable () -> [SoundCard] = { [] }
    /// One playback control of a sound card.
    public struct MixerElement: Hashable, Sendable {
      /// The name of the card and of the element, such as `hw:0 Master`.
      public var name: String
      /// The volume in per cent; nil if the element has no volume.
      public var percent: Int?
      /// False if a channel is switched off; nil if the element has no switch.
      public var isOn: Bool?

      public init(name: String, percent: Int?, isOn: Bool?) {
        self.name = name
        self.percent = percent
        self.isOn = isOn
      }

      /// The state of the element, such as `80 %, off`.
      var text: String {
        [percent.map { "\($0) %" }, isOn.map { $0 ? "on" : "off" }].compactMap { $0 }
          .joined(separator: ", ")
      }

      /// True if the element lets nothing pass.
      var isSilent: Bool { percent == 0 || isOn == false }
    }

    /// Reads the mixers of all sound cards, on any thread. Blocks while a card does not answer.
    public var mixer: @Sendable () -> [MixerElement]? = { [] }
    /// The amplifier that the output mutes, for the diagnosis. Nil if there is none.
    public var amplifier: (any Amplifier)?
    /// The configuration files that were named on the command line. Empty if the standard files are used.
    public var configurationFiles: [String]
    /// Creates the output. `cardTests` contains the results of earlier tests of sound cards (see
    /// ``DeviceFormat/CardTest``). The output calls `onFailure` on any thread, with a message about a failure.
    public var makeSink:
      (
        Settings, _ cardTests: [DeviceFormat.CardTest],
        _ onFailure: @escaping @Sendable (String) -> Void
      ) -> any AudioSink
    /// The path of the control socket. It overrides the path in the configuration.
    public var socket: String?
    /// The version of the daemon, for the log.
    public var version: String
    /// The versions of the program's parts.
    public var parts: [(name: String, version: String)]
    /// The functions that open the GPIO lines of the car.
    package var carLines = CarLineAccess.machine
    /// The lock of the control socket. Nil if it cannot be taken; the daemon then plays, and tries again to take it.
    public var socketLock: SocketLock?
    /// Requests a power-down. Nil if the daemon is not permitted to do this.
    package var powerRequest = PowerRequest.ofThisProcess
    /// The file that requests the erasing of the personal data. Nil if this is not possible.
    package var erasureMark = MachineControl.standardMark

    public init(
      configuration: Configuration, readConfiguration: @escaping @Sendable () -> Configuration,
      makeSink:
        @escaping (
          Settings, _ cardTests: [DeviceFormat.CardTest],
          _ onFailure: @escaping @Sendable (String) -> Void
        ) -> any AudioSink,
      chosenCard: @escaping @Sendable () -> SoundCard? = { nil },
      configurationFiles: [String] = [], socket: String? = nil, version: String,
      parts: [(name: String, version: String)] = []
    ) {
      self.configuration = configuration
      self.readConfiguration = readConfiguration
      self.makeSink = makeSink
      self.chosenCard = chosenCard
      self.configurationFiles = configurationFiles
      self.socket = socket
      self.version = version
      self.parts = parts
    }
  }
}

extension HeadUnit.Options {
  /// Creates the options from the configuration and the saved state.
  init(
    _ current: UnitSettings, _ plan: StartPlan, _ state: UnitState, _ buttons: ConfiguredButtons,
    _ resumption: Resumption, _ recentLists: RecentListSaver, _ turns: Turns
  ) {
    self.init()
    onListLeft = { recentLists.leaveForUndo($0) }
    self.buttons = { buttons.configure(&$0) }
    // Each surface can change the state. The turn then saves and sends the new state.
    didPublish = { turns.request() }
    performsLater = { request, origin in
      // The setting can have changed since the start, so it is read here.
      let obeysPhones = current.configuration.settings.playOnConnect == .obey
      return resumption.note(request, isOfPerson: origin?.isBluetooth != true || obeysPhones)
    }
    let settings = current.configuration.settings
    fixed = settings.outputRate.map {
      StreamFormat(sampleRate: $0, layout: .stereo, encoding: .integer(bits: 24))
    }
    replayGain = ReplayGainSettings(settings)
    volume = Volume(
      restoring: state.volume.map { Volume.Stored(level: $0, isMuted: state.isMuted) },
      startMaximum: VolumeLevel(step: settings.startVolumeMaximum, of: 100))
    ducking.decibels = settings.duckingDecibels
    skipInterval = settings.skipInterval
    language = LanguageTag(settings.language)
    wishes = PlayWishes(plan.app.map { [.init(SessionID($0.session), .play)] } ?? [])
    var limits = ArtworkCache.Limits()
    limits.bytes = settings.artworkFolderSize
    limits.files = settings.artworkFolderFiles
    artworkCache = ArtworkCache(folder: settings.artworkFolder, limits: limits)
  }
}

extension ReplayGainSettings {
  init(_ settings: Settings) {
    let mode: Mode =
      switch settings.replayGain {
      case .off: .off
      case .track: .track
      case .album: .album
      case .auto: .automatic
      }
    self.init(mode, missingDecibels: settings.replayGainMissing)
  }
}
