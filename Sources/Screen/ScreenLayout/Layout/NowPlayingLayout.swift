public import NowPlaying

/// The whole screen as a pure function: from what plays, and what the screen knows, to a scene.
///
/// Reads no clock and no file, keeps nothing; the same arguments give the same scene.
public enum NowPlayingLayout {
  /// The scene at `context.now`.
  public static func scene(
    _ state: NowPlayingState, _ context: ScreenContext, measure: any TextMeasuring
  ) -> Scene {
    var builder = SceneBuilder(state, context, measure)
    if context.isDaemonAway {
      builder.awayPage()
    } else if let pairing = shownPairing(state, context) {
      builder.pairingPage(pairing)
    } else {
      builder.page()
    }
    return builder.finished()
  }

  /// The pairing that is asked about now. A call and the reverse gear hide it, which its owner must
  /// take for a rejection.
  public static func shownPairing(_ state: NowPlayingState, _ context: ScreenContext)
    -> ScreenContext.Pairing?
  {
    guard let pairing = context.pairing, context.now < pairing.ends,
      !state.interruptions.contains(.call), !state.interruptions.contains(.reversing)
    else { return nil }
    return pairing
  }

  /// Pixels of the largest place for a cover on a panel: what is worth decoding.
  public static func largestCover(_ panel: Panel) -> Int {
    let scale = Scale(panel: panel, textScale: nil)
    return scale(scale.metrics.cover.side)
  }

  /// What the placeholder of a state is varied by; the colours of the screen go with it.
  public static func placeholderSeed(_ state: NowPlayingState, isAway: Bool) -> String {
    guard !isAway, state.content != nil else { return "empty" }
    let lines = state.lines
    return DisplayText.clean(lines.detail ?? lines.title) ?? "autoharp"
  }

  /// When the scene changes by itself: the next second, minute, or the end of what passes. Nil: it
  /// stands until something is said or touched.
  ///
  /// Strictly after `context.now`, so that a loop which sleeps until then makes progress.
  public static func nextChange(_ state: NowPlayingState, _ context: ScreenContext)
    -> MonotonicInstant?
  {
    let now = context.now
    var moments: [MonotonicInstant] = []
    if let clock = context.clock { moments.append(clock.changes) }
    if let ends = context.notice?.ends { moments.append(ends) }
    if let pairing = context.pairing { moments.append(pairing.ends) }
    if let until = context.volumeUntil { moments.append(until) }
    if let second = nextSecond(state, context) { moments.append(second) }
    return moments.filter { $0 > now }.min()
  }

  /// When another second is shown.
  private static func nextSecond(_ state: NowPlayingState, _ context: ScreenContext)
    -> MonotonicInstant?
  {
    let rate = state.playback?.rate ?? 0
    guard rate != 0, showsTime(state, context), let elapsed = state.elapsed(at: context.now)
    else { return nil }
    if let length = state.duration?.length, rate > 0, elapsed >= length { return nil }
    if rate < 0, elapsed <= .zero { return nil }
    let fraction = elapsed - .seconds(elapsed.components.seconds)
    // Backwards the digit changes when the second has been passed, not when it is reached.
    let way = rate > 0 ? .seconds(1) - fraction : fraction + .nanoseconds(1)
    // A nanosecond more than the division says, so that rounding cannot end before the change.
    let wait = (rate.magnitude == 1 ? way : way / rate.magnitude) + .nanoseconds(1)
    return context.now.advanced(by: max(wait, .milliseconds(16)))
  }

  private static func showsTime(_ state: NowPlayingState, _ context: ScreenContext) -> Bool {
    guard !context.isDaemonAway, context.seekPreview == nil, state.duration != .live,
      shownPairing(state, context) == nil
    else { return false }
    switch context.page {
    case .nowPlaying, .buttons: return state.content != nil
    case .upNext, .album: return false
    }
  }
}

extension SceneBuilder {
  fileprivate mutating func page() {
    switch context.page {
    case .upNext(let rows, let first):
      listPage(title: listTitle, rows: rows ?? upNextRows, first: first)
    case .album(let title, let rows, let first):
      listPage(title: DisplayText.clean(title) ?? words.untitled, rows: rows, first: first)
    case .nowPlaying, .buttons:
      if state.content == nil { emptyPage() } else { nowPlayingPage() }
    }
  }

  private var listTitle: String {
    if case .title(let title) = state.template.upNext, let clean = DisplayText.clean(title) {
      return clean
    }
    return words.upNext
  }

  fileprivate mutating func finished() -> Scene {
    touched()
    if isMirrored { mirror() }
    pointer()
    let backdrop = Background(
      size: context.panel.size, start: palette.groundStart, end: palette.groundEnd,
      glow: palette.glow, glowCenter: glowCenter, shadow: shadow, isMirrored: isMirrored)
    return Scene(
      size: context.panel.size, palette: palette, backdrop: backdrop, elements: elements,
      hitAreas: hitAreas, scrubber: scrubber, swipeLeft: swipeLeft, swipeRight: swipeRight)
  }

  /// The circle under a finger, and the ring round what a knob has chosen.
  private mutating func touched() {
    if let area = hitAreas.first(where: { $0.id == context.pressed && $0.action != nil }) {
      block = area.block
      shape("pressed", area.face, Shape(radius: area.faceRadius, fill: Paint(.pressed)))
    }
    if let area = hitAreas.first(where: { $0.id == context.focus && $0.action != nil }) {
      block = area.block
      let gap = u(4)
      shape(
        "focus", area.face.inset(by: -gap),
        Shape(radius: area.faceRadius + gap, stroke: Paint(.text), strokeWidth: max(2, u(3))))
    }
    block = nil
  }

  /// A dot with an edge, in the two colours that differ on every ground. It points with its middle, so
  /// it needs no direction.
  private mutating func pointer() {
    guard let place = context.pointer else { return }
    let side = u(metrics.pointer)
    let frame = PixelRect(centerX: place.x, centerY: place.y, width: side, height: side)
    shape(
      "pointer", frame,
      Shape(
        radius: side / 2, fill: Paint(.disc), stroke: Paint(.onDisc), strokeWidth: max(2, u(3))))
  }
}
