public import NowPlaying
public import ScreenLayout

/// An invented state of the screen with a name, for previews, golden files and benchmarks.
public struct SampleScene: Sendable {
  /// The name of the sample, for the option `--state`.
  public let name: String
  /// A short description of the sample.
  public let summary: String
  /// The state of Now Playing.
  public let state: NowPlayingState
  /// The context of the screen. The caller can change it, for example the panel and the appearance.
  public var context: ScreenContext
  /// The covers of all tracks that the sample can show.
  public let covers: [SampleCover]
  /// The cover from which the colours of the screen are computed. Nil if the sample shows no track with a cover.
  public let cover: SampleCover?

  /// The current time in all samples.
  public static let now = MonotonicInstant(awake: .seconds(1000))

  /// Returns the sample with this name. Returns nil if there is none.
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
  private static func state(
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
      hold: interruptions.first.map { .interruption($0) }, language: language)
  }

  /// A context with these values: night, 800 × 480 on seven inches, 21:47, one phone. `change` can then change these
  /// values.
  private static func context(_ change: (inout ScreenContext) -> Void = { _ in }) -> ScreenContext {
    var context = ScreenContext(
      panel: Panel(size: PixelSize(width: 800, height: 480), diagonalInches: 7), now: now)
    context.clock = ScreenContext.Clock("21:47", until: now.advanced(by: .seconds(31)))
    context.bluetooth = .on(phones: ["Ana’s Pixel 8"])
    context.source = (.stick, "USB stick")
    change(&context)
    return context
  }

  private static let music: [CommandOffer] = [
    CommandOffer(.play), CommandOffer(.pause), CommandOffer(.next), CommandOffer(.previous),
    CommandOffer(.seekForward), CommandOffer(.seekBackward), CommandOffer(.seekToPosition),
    CommandOffer(.changePlaybackRate, parameters: .rates([1, 1.5])),
  ]
  private static let spoken: [CommandOffer] = [
    CommandOffer(.play), CommandOffer(.pause), CommandOffer(.seekToPosition),
    CommandOffer(.skipBackward, parameters: .intervals([.seconds(15)])),
    CommandOffer(.skipForward, parameters: .intervals([.seconds(30)])),
  ]
  private static let broadcast: [CommandOffer] = [
    CommandOffer(.play), CommandOffer(.stop), CommandOffer(.previous),
    CommandOffer(.next, isEnabled: false),
  ]

  private static func button(
    _ kind: NowPlayingButton.Kind, isOn: Bool = false, isEnabled: Bool = true,
    _ value: String? = nil
  ) -> TemplateState.Button {
    TemplateState.Button(kind: kind, isEnabled: isEnabled, isSelected: isOn, value: value)
  }

  private static let five: [TemplateState.Button] = [
    button(.shuffle, isOn: true, "items"), button(.repeat, "off"), button(.playbackRate, "1×"),
    button(.addToLibrary), button(.more),
  ]
}

extension SampleScene {
  /// All samples. Together they show every state of the screen.
  public static let all: [SampleScene] = playback + passing + pages + menu + touch

  private static func sample(
    _ name: String, _ summary: String, _ track: SampleTrack, _ state: NowPlayingState,
    _ change: (inout ScreenContext) -> Void = { _ in }
  ) -> SampleScene {
    SampleScene(name, summary, state, context(change), cover: track.cover)
  }

  // MARK: Content

  private static let playback: [SampleScene] = [
    sample("playing", "music, with all parts", .ferry, state(.ferry)),
    sample(
      "paused", "spoken, skipping by seconds", .harbour,
      state(
        .harbour, .paused, commands: spoken,
        buttons: [
          button(.shuffle, isEnabled: false, "off"), button(.repeat, isOn: true, "one"),
          button(.playbackRate, isOn: true, "1.5×"), button(.addToLibrary, isOn: true),
          button(.more),
        ])),
    sample(
      "interrupted", "interrupted by a call", .ferry,
      state(.ferry, .interrupted, interruptions: [.call])),
    sample("buffering", "waiting for data", .undertow, state(.undertow, .buffering)),
    sample("seeking", "a key is held", .fern, state(.fern, .playing(rate: 8))),
    sample(
      "live", "a live station, without pause", .signal,
      state(
        .signal, commands: broadcast,
        buttons: [
          button(.image("heart"), isOn: true), button(.addToLibrary), button(.more),
        ], opensAlbum: false)
    ) { $0.source = (.radio, english.radio) },
    sample(
      "no-artwork", "a file without a picture", .memo,
      state(
        .memo,
        buttons: [button(.shuffle, "off"), button(.repeat, isOn: true, "all"), button(.more)])
    ),
    sample("no-buttons", "the source adds no buttons", .fern, state(.fern, buttons: [])),
    sample(
      "source-buttons", "pictures of the source, one disabled", .courtyard,
      state(
        .courtyard,
        buttons: [
          button(.image("thumbsUp"), isOn: true), button(.image("thumbsDown")),
          button(.image("harp")), button(.image("nextFolder"), isEnabled: false),
        ])),
    sample(
      "long-title", "two lines, then an ellipsis", .longest, state(.longest)
    ) {
      $0.bluetooth = .on(phones: ["Bartholomew’s work phone", "Ana’s Pixel 8"])
    },
    sample("japanese", "characters and emoji", .japanese, state(.japanese)) {
      $0.bluetooth = .on(phones: ["由紀のPhone"])
    },
    sample("arabic-title", "right to left on a left-to-right screen", .arabic, state(.arabic)),
    sample("hindi", "Devanagari and Thai", .hindi, state(.hindi)),
    sample("arabic", "the whole screen mirrored", .arabic, state(.arabic, language: "ar")) {
      $0.language = "ar"
      $0.bluetooth = .on(phones: ["هاتف ليلى"])
      $0.source = (.stick, "ذاكرة USB")
    },
    sample(
      "hebrew", "mirrored, with a Latin phone name", .hebrew,
      state(.hebrew, language: "he")
    ) {
      $0.language = "he"
    },
  ]

  // MARK: Header

  private static let english = LocalizedWords("en")

  private static let passing: [SampleScene] = [
    sample("notice", "the stick with the music was removed", .engine, state(.engine)) {
      $0.notice = ScreenContext.Notice(
        .stick, english.notices.stickRemoved, until: now.advanced(by: .seconds(4)))
    },
    sample("unplayable", "a stick with formats that are not supported", .engine, state(.engine)) {
      $0.notice = ScreenContext.Notice(
        .stick, english.notices.unplayable(143, ["AAC", "WMA", "ALAC", "DRM"]),
        until: now.advanced(by: .seconds(8)))
    },
    sample(
      "storage", "a storage error, until it is touched", .engine, state(.engine)
    ) {
      $0.notice = ScreenContext.Notice(.warning, english.notices.storageError, until: nil)
    },
    sample("volume", "a key was pressed", .fern, state(.fern)) {
      $0.volumeUntil = now.advanced(by: .seconds(2))
    },
    sample("clock-unknown", "the time of day is unknown", .undertow, state(.undertow)) {
      $0.clock = nil
    },
    sample("two-phones", "two phones are connected", .undertow, state(.undertow)) {
      $0.bluetooth = .on(phones: ["Ana’s Pixel 8", "Work"])
    },
    sample("no-phone", "no phone is connected", .undertow, state(.undertow)) {
      $0.bluetooth = .on(phones: [])
    },
    sample("bluetooth-off", "the adapter is off", .undertow, state(.undertow)) {
      $0.bluetooth = .off
    },
  ]

  // MARK: Other pages

  private static let idle = NowPlayingState(
    revision: 1, volume: Volume(level: VolumeLevel(thousandths: 450)))

  private static let pages: [SampleScene] = [
    SampleScene(
      "nothing", "nothing plays, and what to do", idle,
      context {
        $0.bluetooth = .on(phones: [])
        $0.source = nil
      }, cover: nil),
    SampleScene(
      "daemon-away", "the daemon does not answer", idle, away(since: 5), cover: nil),
    SampleScene(
      "daemon-restarts", "the daemon does not answer for ten seconds", idle, away(since: 10),
      cover: nil),
    SampleScene(
      "daemon-lost", "the daemon does not answer for a minute", idle, away(since: 60), cover: nil),
    SampleScene("pairing", "a phone requests pairing", idle, pairing(code: "482915"), cover: nil),
    SampleScene(
      "pairing-no-code", "the device has no code", idle, pairing(code: nil), cover: nil),
    sample("up-next", "the queue", .ferry, state(.ferry)) { $0.page = .list(SampleLists.queue) },
    sample("up-next-edit", "what can be done with a row", .ferry, state(.ferry)) {
      $0.page = .list(SampleLists.edited)
      $0.notice = ScreenContext.Notice(.bin, "Undo · Plateau", until: now.advanced(by: .seconds(4)))
      $0.notice?.touch = .undo(revision: 7)
    },
    sample("up-next-parts", "the parts of a long queue", .ferry, state(.ferry)) {
      $0.page = .list(SampleLists.parts)
    },
    sample("up-next-phone", "what a phone publishes", .ferry, state(.ferry)) {
      $0.page = .list(SampleLists.published)
    },
    sample("album", "the tracks of an album", .undertow, state(.undertow)) {
      $0.page = .list(SampleLists.album)
    },
    sample("buttons", "all buttons of a small screen", .engine, state(.engine)) {
      $0.page = .buttons
      $0.panel = Panel(size: PixelSize(width: 480, height: 320), diagonalInches: 3.5)
    },
  ]

  private static func pairing(code: String?) -> ScreenContext {
    context {
      $0.bluetooth = .on(phones: [])
      $0.source = nil
      $0.pairing = ScreenContext.Pairing(
        peer: "Ana’s Pixel 8", code: code, until: now.advanced(by: .seconds(30)))
    }
  }

  // MARK: Pages beside Now Playing

  private static func away(since seconds: Int) -> ScreenContext {
    context {
      $0.awaySince = MonotonicInstant(awake: now.awake - .seconds(seconds))
      $0.bluetooth = .absent
      $0.source = nil
    }
  }

  private static func page(
    _ name: String, _ summary: String, _ page: MenuPage,
    _ change: (inout ScreenContext) -> Void = { _ in }
  ) -> SampleScene {
    sample(name, summary, .ferry, state(.ferry)) {
      $0.page = .menu(page)
      change(&$0)
    }
  }

  private static let menu: [SampleScene] = [
    page("library", "lists to continue, and the lists of the library", SamplePages.home(english)),
    page("library-scanning", "the first files are read", SamplePages.scanningHome(english)),
    page("library-unavailable", "the library does not answer", SamplePages.unavailable(english)),
    page("letters", "the letters of the artists", SamplePages.letters) { $0.focus = "letter.11" },
    page("second-letters", "a letter with many songs", SamplePages.secondLetters),
    page("artists", "artists of a letter", SamplePages.artists) { $0.focus = "row.2" },
    page("songs", "songs of a letter", SamplePages.songs),
    page("albums", "albums of a letter", SamplePages.albums),
    page("album-page", "an album", SamplePages.album),
    page("artist-page", "an artist", SamplePages.artist),
    page("folder", "folders and files", SamplePages.folders),
    page("search", "the search, before the first letter", SamplePages.search),
    page("search-results", "the search while driving", SamplePages.results),
    page("sources", "sticks, one of which is read", SamplePages.sources),
    page("phones", "phones and a remote control", SamplePages.phones),
    page("phone-page", "what can be done with a phone", SamplePages.phone(english)),
    page("forget-phone", "a question", SamplePages.forget(english)),
    page("add-phone", "phones can find the unit", SamplePages.adding(english)),
    page("add-phone-over", "the time is over", SamplePages.adding(english, isOpen: false)),
    page("no-phone-page", "no phone is bonded", SamplePages.noPhone(english)),
    page("stick-page", "a stick that is read", SampleSettings.stick(english)),
    page("settings", "what can be set", SampleSettings.first(english)),
    page("display-settings", "colours and letters", SampleSettings.display(english)),
    page("clock-settings", "the clock", SampleSettings.clock(english)),
    page("languages", "the languages of the screen", SampleSettings.languages(english)),
    page("about", "what the unit tells about itself", SampleSettings.about(english)),
    page("erase-data", "the question before erasing", SampleSettings.erasing(english)),
    page("report-code", "the report as a QR code", SampleSettings.code(english)),
    page("library-volume", "the volume on a page", SamplePages.artists) {
      $0.volumeUntil = now.advanced(by: .seconds(2))
    },
  ]

  // MARK: Touches

  private static let touch: [SampleScene] = [
    sample("pressed", "a finger on next", .ferry, state(.ferry)) {
      $0.pressed = "transport.forward"
    },
    sample("focus", "a knob has selected repeat", .ferry, state(.ferry)) { $0.focus = "custom.1" },
    sample("dragging", "a finger drags the bar", .ferry, state(.ferry)) {
      $0.seekPreview = .seconds(173)
    },
  ]
}
