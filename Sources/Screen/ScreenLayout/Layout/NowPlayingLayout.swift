public import NowPlaying

/// The whole screen as a pure function that computes a scene from the state and the context.
///
/// Reads no clock and no file, and stores nothing. The same arguments give the same scene.
public enum NowPlayingLayout {
  /// The scene at `context.now`.
  public static func scene(
    _ state: NowPlayingState, _ context: ScreenContext, measure: any TextMeasuring
  ) -> Scene {
    var builder = SceneBuilder(state, context, measure)
    let absence = DaemonAbsence(context)
    if let absence, absence != .unnoticed || state.content == nil {
      builder.awayPage(absence)
    } else if let pairing = shownPairing(state, context) {
      builder.pairingPage(pairing)
    } else {
      builder.page()
    }
    if absence != nil { builder.removeActions() }
    return builder.finished()
  }

  /// The pairing request that is shown now. A call and the reverse gear hide the request. The caller must then reject
  /// the request.
  public static func shownPairing(_ state: NowPlayingState, _ context: ScreenContext)
    -> ScreenContext.Pairing?
  {
    guard let pairing = context.pairing, context.now < pairing.ends,
      !state.interruptions.contains(.call), !state.interruptions.contains(.reversing),
      !context.isReversing
    else { return nil }
    return pairing
  }

  /// The side of the largest square in which a panel shows a cover, in pixels. A larger cover would have pixels that
  /// are not visible.
  public static func largestCover(_ panel: Panel) -> Int {
    let scale = Scale(panel: panel, textScale: nil)
    return scale(scale.metrics.cover.side)
  }

  /// The seed of the placeholder for a state. If the placeholder is shown, the colours of the screen are computed from
  /// the placeholder.
  public static func placeholderSeed(_ state: NowPlayingState, isAway: Bool) -> String {
    guard !isAway, state.content != nil else { return "empty" }
    let lines = state.lines
    return DisplayText.clean(lines.detail ?? lines.title) ?? "autoharp"
  }

  /// The time at which the scene changes without an event. This is, for example, the next second, the next minute or
  /// the end of a notice. Nil if the scene stays the same until an event.
  ///
  /// The time is always after `context.now`. Otherwise a loop that sleeps until this time would run without pause.
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
    if let change = DaemonAbsence.nextChange(context) { moments.append(change) }
    if case .menu(let page) = context.page, case .adding(let adding) = page.content,
      let second = adding.nextSecond(after: now)
    {
      moments.append(second)
    }
    return moments.filter { $0 > now }.min()
  }

  /// The time at which the next second is shown.
  private static func nextSecond(_ state: NowPlayingState, _ context: ScreenContext)
    -> MonotonicInstant?
  {
    let rate = state.playback?.rate ?? 0
    guard rate != 0, showsTime(state, context), let elapsed = state.elapsed(at: context.now)
    else { return nil }
    if let length = state.duration?.length, rate > 0, elapsed >= length { return nil }
    if rate < 0, elapsed <= .zero { return nil }
    let fraction = elapsed - .seconds(elapsed.components.seconds)
    // If playback runs backwards, the digit changes directly after the full second: at 5.0 s the digit is still 5.
    let way = rate > 0 ? .seconds(1) - fraction : fraction + .nanoseconds(1)
    // One nanosecond is added to the quotient. Otherwise, rounding could end the wait before the change.
    let wait = (rate.magnitude == 1 ? way : way / rate.magnitude) + .nanoseconds(1)
    return context.now.advanced(by: max(wait, .milliseconds(16)))
  }

  private static func showsTime(_ state: NowPlayingState, _ context: ScreenContext) -> Bool {
    context.seekPreview == nil && state.duration != .live && showsContent(state, context)
  }

  /// True if the scene of this state and context is the page with the content that plays.
  static func showsContent(_ state: NowPlayingState, _ context: ScreenContext) -> Bool {
    guard context.awaySince == nil, shownPairing(state, context) == nil else { return false }
    switch context.page {
    case .nowPlaying, .buttons: return state.content != nil
    case .list, .menu: return false
    }
  }
}

extension SceneBuilder {
  fileprivate mutating func page() {
    switch context.page {
    case .list(let list): listPage(list)
    case .menu(let page): menuPage(page)
    case .nowPlaying, .buttons:
      if state.content == nil { emptyPage() } else { nowPlayingPage() }
    }
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
      firstFocus: firstFocus, pageTurns: pageTurns, hitAreas: hitAreas, scrubber: scrubber,
      swipeLeft: swipeLeft,
      swipeRight: swipeRight)
  }

  /// Adds the circle under a finger, and the ring around the focus.
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

  /// Adds the pointer of a mouse: a dot with an edge. The dot and the edge have different colours, so one of them is
  /// visible on every background. The centre of the dot is the position.
  private mutating func pointer() {
    guard let point = context.pointer else { return }
    let side = u(metrics.pointer)
    let frame = PixelRect(centerX: point.x, centerY: point.y, width: side, height: side)
    shape(
      "pointer", frame,
      Shape(
        radius: side / 2, fill: Paint(.disc), stroke: Paint(.onDisc), strokeWidth: max(2, u(3))))
  }
}
