internal import Artwork
internal import AudioCodecs
public import AudioEngine
internal import HeadUnit
internal import LocalPlayer
internal import NowPlaying
public import Settings
internal import UnitState

extension UnitDaemon {
  /// What it is started with.
  public struct Start {
    /// What the configuration says.
    public var configuration: Configuration
    /// Reads it again.
    public var readConfiguration: () -> Configuration
    /// Where the sound goes; words that come from below are given to the closure, on any thread.
    public var makeSink:
      (Settings, _ trouble: @escaping @Sendable (String) -> Void) -> any AudioSink
    /// The control socket, whatever the configuration says.
    public var socket: String?
    /// For the log.
    public var version: String
    /// The versions of what the program is made of.
    public var parts: [(name: String, version: String)]

    /// Joins all.
    public init(
      configuration: Configuration, readConfiguration: @escaping () -> Configuration,
      makeSink:
        @escaping (Settings, _ trouble: @escaping @Sendable (String) -> Void) ->
        any AudioSink,
      socket: String? = nil, version: String, parts: [(name: String, version: String)] = []
    ) {
      self.configuration = configuration
      self.readConfiguration = readConfiguration
      self.makeSink = makeSink
      self.socket = socket
      self.version = version
      self.parts = parts
    }
  }
}

extension HeadUnit.Options {
  /// What the configuration and the saved state say.
  init(_ settings: Settings, _ state: UnitState) {
    self.init()
    fixed = settings.outputRate.map {
      StreamFormat(sampleRate: $0, layout: .stereo, encoding: .integer(bits: 24))
    }
    replayGain =
      switch settings.replayGain {
      case .off: .off
      case .track: .track
      case .album: .album
      }
    volume = Volume(
      restoring: state.volume.map { Volume.Stored(level: $0, isMuted: state.isMuted) },
      startMaximum: VolumeLevel(step: settings.startVolumeMaximum, of: 100))
    ducking.decibels = settings.duckingDecibels
    skipInterval = settings.skipInterval
    language = LanguageTag(settings.language)
    var limits = ArtworkCache.Limits()
    limits.bytes = settings.artworkFolderSize
    limits.files = settings.artworkFolderFiles
    limits.memoryBytes = settings.artworkMemory
    artworkCache = ArtworkCache(folder: settings.artworkFolder, limits: limits)
  }
}
