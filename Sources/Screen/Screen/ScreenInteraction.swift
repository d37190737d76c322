internal import NowPlaying
package import ScreenDisplay
package import ScreenLayout

/// Converts touches and steps of knobs to requests. The input consists of pointer events and focus steps, each with its
/// time. The output consists of the pressed element, the focus and requests. This type is a value. It uses no clock, no
/// pixels and no socket.
///
/// Only the first finger has an effect. Other fingers are ignored until the first finger is lifted. The first finger
/// makes one of these gestures:
///
/// - **tap**: the finger is put down on an area and lifted inside the same area. The tap requests the action that the
///   area had when the finger was put down;
/// - **hold**: begins after half a second if the area has a hold action; ends when the finger is lifted or leaves the
///   area;
/// - **drag** on the progress bar: shows the new position, and seeks when the finger is lifted;
/// - **swipe**: a movement to the left or right that does not start on the progress bar.
package struct ScreenInteraction: Sendable {
  /// A hold begins when a finger has stayed on an area for this time.
  package static let holdTime = Duration.milliseconds(500)
  /// A swipe that takes longer than this time is ignored.
  package static let swipeTime = Duration.milliseconds(800)
  /// A finger shakes in a moving car. So a finger that is up to this distance outside an area still presses the area. A
  /// horizontal movement of twice this distance begins a swipe.
  static let slopMillimetres = 3.0
  /// The minimum length of a swipe.
  static let swipeMillimetres = 12.0
  /// The time from the last focus event until the focus disappears.
  package static let focusTime = Duration.seconds(10)

  /// The element under the finger. Its action is requested if the finger is lifted now.
  package private(set) var pressed: ElementID?
  /// The position to which the screen seeks if the finger is lifted now. Nil if the finger does not drag the progress
  /// bar.
  package private(set) var seekPreview: Duration?
  /// The element that a knob or the arrow keys have chosen.
  package private(set) var focus: ElementID?

  private var touch: Touch?
  private var focusEnds: Duration?
  private let pixelsPerMillimetre: Double

  private struct Touch {
    enum Kind {
      /// The finger presses an area. Nil if there is no area under the finger.
      case press(HitArea?)
      case hold(ElementID, HitArea.Hold)
      case scrub(Scrubber)
      /// A movement to the left or right.
      case swipe
      /// The rest of this touch has no effect.
      case over
    }

    let id: PointerEvent.ID
    let start: PixelPoint
    let began: Duration
    var kind: Kind
  }

  /// Creates an interaction without a touch. `panel` defines the number of pixels per millimetre. The focus and its end
  /// are copied from `other`.
  package init(panel: Panel, focusOf other: ScreenInteraction? = nil) {
    pixelsPerMillimetre = panel.pixelsPerMillimetre
    focus = other?.focus
    focusEnds = other?.focusEnds
  }

  /// The time at which ``pass(to:)`` must be called next. Nil if no call is needed.
  package var nextDeadline: Duration? {
    [holdDeadline, focusEnds].compactMap { $0 }.min()
  }

  private var holdDeadline: Duration? {
    guard let touch, case .press(let area?) = touch.kind, area.hold != nil, pressed != nil
    else { return nil }
    return touch.began + Self.holdTime
  }

  // MARK: Fingers

  /// Handles an event while `scene` is shown. Returns the requested actions.
  package mutating func handle(_ event: PointerEvent, in scene: Scene) -> [ScreenAction] {
    switch event {
    case .down(let id, let x, let y, let at):
      // If this finger is already down, its *up* event was lost. So the old touch is cancelled.
      var asked = touch?.id == id ? cancelTouch() : []
      if touch == nil {
        asked += pass(to: at)
        focus = nil
        focusEnds = nil
        down(id, PixelPoint(x: x, y: y), at, scene)
      }
      return asked
    case .move(let id, let x, let y, let at):
      guard touch?.id == id else { return [] }
      return pass(to: at) + move(to: PixelPoint(x: x, y: y), at, scene)
    case .up(let id, let x, let y, let at):
      guard touch?.id == id else { return [] }
      let point = PixelPoint(x: x, y: y)
      return pass(to: at) + move(to: point, at, scene) + up(point, at, scene)
    case .hover: return []
    case .cancel(let id, _):
      return touch?.id == id ? cancelTouch() : []
    }
  }

  private mutating func down(
    _ id: PointerEvent.ID, _ point: PixelPoint, _ at: Duration, _ scene: Scene
  ) {
    var kind = Touch.Kind.press(nil)
    if let scrubber = scene.scrubber, scrubber.frame.contains(point) {
      kind = .scrub(scrubber)
      seekPreview = scrubber.position(atX: point.x)
    } else if let area = scene.hitArea(at: point), area.tap != nil {
      kind = .press(area)
      pressed = area.id
    }
    touch = Touch(id: id, start: point, began: at, kind: kind)
  }

  private mutating func move(to point: PixelPoint, _ at: Duration, _ scene: Scene)
    -> [ScreenAction]
  {
    guard let touch else { return [] }
    switch touch.kind {
    case .scrub(let scrubber):
      seekPreview = scrubber.position(atX: point.x)
    case .press(let area):
      if swipe(touch, to: point, scene) != nil, isPast(Self.slopMillimetres * 2, touch, point) {
        self.touch?.kind = .swipe
        pressed = nil
      } else {
        pressed = area.flatMap { isOn($0, point) ? $0.id : nil }
      }
    case .hold(let id, let hold):
      guard let area = scene.hitAreas.first(where: { $0.id == id }), isOn(area, point) else {
        end(id)
        return [.command(.media(hold.end))]
      }
    case .swipe, .over: break
    }
    return []
  }

  private mutating func up(_ point: PixelPoint, _ at: Duration, _ scene: Scene) -> [ScreenAction] {
    defer {
      touch = nil
      pressed = nil
      seekPreview = nil
    }
    guard let touch else { return [] }
    switch touch.kind {
    case .scrub(let scrubber):
      return [.command(.media(.seekToPosition(scrubber.position(atX: point.x))))]
    case .press(let area):
      return pressed == nil ? [] : area?.tap.map { [$0] } ?? []
    case .hold(_, let hold):
      return [.command(.media(hold.end))]
    case .swipe:
      guard at - touch.began <= Self.swipeTime, isPast(Self.swipeMillimetres, touch, point)
      else { return [] }
      return swipe(touch, to: point, scene).map { [$0] } ?? []
    case .over:
      return []
    }
  }

  /// True if a finger is on an area, or beside the area by at most ``slopMillimetres``.
  private func isOn(_ area: HitArea, _ point: PixelPoint) -> Bool {
    area.frame.inset(by: -pixels(Self.slopMillimetres)).contains(point)
  }

  private func pixels(_ millimetres: Double) -> Int {
    Int((millimetres * pixelsPerMillimetre).rounded())
  }

  private func isPast(_ millimetres: Double, _ touch: Touch, _ point: PixelPoint) -> Bool {
    abs(point.x - touch.start.x) >= pixels(millimetres)
  }

  /// The action of a movement to the left or right. Nil if the movement is not horizontal enough, or if the scene has
  /// no action for a swipe in this direction.
  private func swipe(_ touch: Touch, to point: PixelPoint, _ scene: Scene) -> ScreenAction? {
    let dx = point.x - touch.start.x
    guard abs(dx) > 2 * abs(point.y - touch.start.y) else { return nil }
    return dx < 0 ? scene.swipeLeft : scene.swipeRight
  }

  /// Cancels the touch. Must be called if the touch is no longer valid, or if the display was removed. If the touch is
  /// a hold, returns the action that ends the hold. Otherwise returns no action.
  package mutating func cancelTouch() -> [ScreenAction] {
    defer {
      touch = nil
      pressed = nil
      seekPreview = nil
    }
    if case .hold(_, let hold)? = touch?.kind { return [.command(.media(hold.end))] }
    return []
  }

  private mutating func end(_ id: ElementID) {
    touch?.kind = .over
    pressed = nil
    seekPreview = nil
  }

  // MARK: Time

  /// Updates the touch and the focus to the time `now`: a hold can begin, and the focus can disappear.
  package mutating func pass(to now: Duration) -> [ScreenAction] {
    if let ends = focusEnds, now >= ends {
      focus = nil
      focusEnds = nil
    }
    guard let deadline = holdDeadline, now >= deadline, case .press(let area?)? = touch?.kind,
      let hold = area.hold
    else { return [] }
    touch?.kind = .hold(area.id, hold)
    return [.command(.media(hold.begin))]
  }

  /// Must be called when another scene is shown. If the action of the touched element has changed, the touch has no
  /// further effect. Without this rule, a finger on *pause* would request *play* if the track ends during the touch.
  package mutating func adapt(to scene: Scene) -> [ScreenAction] {
    if let id = focus, !scene.hitAreas.contains(where: { $0.id == id && $0.action != nil }) {
      focus = nil
      focusEnds = nil
    }
    guard let touch else { return [] }
    func now(_ id: ElementID) -> HitArea? { scene.hitAreas.first { $0.id == id } }
    switch touch.kind {
    case .press(let area?):
      if now(area.id)?.tap != area.tap { end(area.id) }
    case .hold(let id, let hold):
      // Seeking changes the status of playback, but not the hold action of the button. So only a change of the hold
      // action ends the hold.
      guard now(id)?.hold != hold else { break }
      end(id)
      return [.command(.media(hold.end))]
    case .scrub(let scrubber):
      if scene.scrubber?.duration != scrubber.duration { end("bar") }
    case .press(nil), .swipe, .over: break
    }
    return []
  }

  // MARK: Knobs and arrow keys

  /// Handles a step while `scene` is shown. The first step only shows the focus.
  package mutating func handle(_ event: FocusEvent, at: Duration, in scene: Scene)
    -> [ScreenAction]
  {
    let asked = pass(to: at)
    focusEnds = at + Self.focusTime
    func step(_ step: FocusStep) { focus = scene.focus(from: focus, step) }
    let knob: FocusStep? = event == .next ? .next : event == .previous ? .previous : nil
    if let knob, let turn = scene.pageTurns?.turn(from: focus, knob) {
      focus = turn.focus
      return asked + [.menu(.turnPage(turn.direction))]
    }
    switch event {
    case .next: step(.next)
    case .previous: step(.previous)
    case .turn(let steps):
      let isForward = steps > 0
      if let turns = scene.pageTurns, isForward ? turns.canGoForward : turns.canGoBack {
        focus = isForward ? turns.first : turns.last
        return asked + [.menu(.turnPage(isForward ? .forward : .back))]
      }
      if focus?.rawValue.hasPrefix("letter.") == true {
        step(isForward ? .down : .up)
      } else {
        for _ in 0..<min(steps.magnitude, 16) { step(isForward ? .next : .previous) }
      }
    case .left: step(.left)
    case .right: step(.right)
    case .up: step(.up)
    case .down: step(.down)
    case .activate:
      guard let id = focus else {
        step(.next)
        break
      }
      if let action = scene.hitAreas.first(where: { $0.id == id })?.action {
        return asked + [action]
      }
    case .back:
      focus = nil
      focusEnds = nil
      return asked + [.back]
    }
    return asked
  }
}
