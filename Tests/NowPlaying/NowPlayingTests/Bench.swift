import NowPlaying

/// A head unit on a manual clock, with one source and one screen.
struct Bench {
  let clock = ManualClock()
  let center: NowPlayingCenter
  let source: ScriptedSource
  let screen: ScriptedSurface

  init(
    tracks: [MediaContent]? = nil, playing: Bool = false, language: LanguageTag = .undefined,
    didConnect: ((SurfaceDescription, inout NowPlayingTemplate) -> Void)? = nil
  ) {
    center = NowPlayingCenter(
      volume: Volume(level: VolumeLevel(thousandths: 300)), language: language)
    source = ScriptedSource(
      "local", in: center, clock: clock, tracks: tracks, didConnect: didConnect)
    screen = ScriptedSurface("screen", in: center, clock: clock, showsTemplate: true)
    source.publish()
    if playing { source.play() }
  }

  var state: NowPlayingState { center.state }
}
