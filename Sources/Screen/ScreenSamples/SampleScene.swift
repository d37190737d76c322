public import NowPlaying
public import ScreenLayout

/// An invented state of the screen with a name, for previews, golden files and benchmarks.
public struct SampleScene: Sendable {
  /// The name for the option `--state`.
  public let name: String
  /// A short description.
  public let summary: String
  /// The state of Now Playing.
  public let state: NowPlayingState
  /// The context of the screen. The caller may change it, for example the panel and the appearance.
  public var context: ScreenContext
  /// All covers that the sample may show.
  public let covers: [SampleCover]
  /// The cover of the page; nil if the page shows none.
  public let cover: SampleCover?

  /// The time at which all samples are shown.
  public static let now = MonotonicInstant(awake: .seconds(1000))

  /// The sample with this name.
  public static func named(_ name: String) -> SampleScene? { all.first { $0.name == name } }

  init(
    _ name: String, _ summary: String, _ state: NowPlayingState, _ context: ScreenContext,
    cover: SampleCover?
  ) {
    self.name = name
    self.summary = summary
    self.state = state
    self.context = context
    self.cover = cover
    covers = Array(Set(SampleTrack.queue.compactMap(\.cover) + [cover].compactMap(\.self)))
  }
}

extension SampleScene {
  /// A state in which a track plays. The arguments change parts of the state.
  static func state(
    _ track: SampleTrack, _ playback: MediaPlaybackSnapshot.PlaybackState = .playing(),
    commands: [CommandOffer] = music, buttons: [TemplateState.Button] = five,
    upNext: TemplateState.UpNext = .systemTitle, opensAlbum: Bool = true, volume: Int = 450,
    interruptions: [Interruption.Reason] = [], language: LanguageTag = "en"
  ) -> NowPlayingState {
    NowPlayingState(
      revision: 1, session: "local", content: track.content,
      playback: MediaPlaybackSnapshot(
        state: playback, elapsedTime: .seconds(track.elapsed), timestamp: now),
      commands: commands,
      upNext: SampleTrack.queue.dropFirst().map {
        UpNextItem(id: $0.title, title: $0.title, artist: $0.artist)
      },
      template: TemplateState(
        buttons: buttons, upNext: upNext, isAlbumArtistEnabled: opensAlbum),
      volume: Volume(level: VolumeLevel(thousandths: volume)), interruptions: interruptions,
      language: language)
  }

  /// A context with these values: night, 800 × 480 on seven inches, 21:47, one phone. `change` may
  /// change the values.
  static func context(_ change: (inout ScreenContext) -> Void = { _ in }) -> ScreenContext {
    var context = ScreenContext(
      panel: Panel(size: PixelSize(width: 800, height: 480), diagonalInches: 7), now: now)
    context.clock = ScreenContext.Clock("21:47", until: now.advanced(by: .seconds(31)))
    context.bluetooth = .on(phones: ["Ana’s Pixel 8"])
    context.source = (.stick, "USB stick")
    change(&context)
    return context
  }

  static let music: [CommandOffer] = [
    CommandOffer(.play), CommandOffer(.pause), CommandOffer(.next), CommandOffer(.previous),
    CommandOffer(.seekForward), CommandOffer(.seekBackward), CommandOffer(.seekToPosition),
    CommandOffer(.changePlaybackRate, parameters: .rates([1, 1.5])),
  ]
  static let spoken: [CommandOffer] = [
    CommandOffer(.play), CommandOffer(.pause), CommandOffer(.seekToPosition),
    CommandOffer(.skipBackward, parameters: .intervals([.seconds(15)])),
    CommandOffer(.skipForward, parameters: .intervals([.seconds(30)])),
  ]
  static let broadcast: [CommandOffer] = [
    CommandOffer(.play), CommandOffer(.stop), CommandOffer(.previous),
    CommandOffer(.next, isEnabled: false),
  ]

  static func button(
    _ kind: NowPlayingButton.Kind, isOn: Bool = false, isEnabled: Bool = true,
    _ value: String? = nil
  ) -> TemplateState.Button {
    TemplateState.Button(kind: kind, isEnabled: isEnabled, isSelected: isOn, value: value)
  }

  static let five: [TemplateState.Button] = [
    button(.shuffle, isOn: true, "items"), button(.repeat, "off"), button(.playbackRate, "1×"),
    button(.addToLibrary), button(.more),
  ]
}
