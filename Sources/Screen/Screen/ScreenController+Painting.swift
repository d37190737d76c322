internal import Control
internal import EventLoop
internal import NowPlaying
internal import Reports
internal import ScreenDisplay
internal import ScreenLayout
internal import ScreenPainter
internal import Settings
internal import SystemClock

// Paints a picture from the current data, and schedules the next picture.
extension ScreenController {
  /// Schedules one picture for all changes that arrive together.
  func paintSoon() {
    guard !isPaintDue else { return }
    isPaintDue = true
    loop.defer { [weak self] in
      guard let self, isPaintDue else { return }
      paint()
    }
  }

  func repaintAll() {
    scene = nil
    paintSoon()
  }

  func paint() {
    isPaintDue = false
    let now = MonotonicInstant.now()
    if model.mustDenyPairing(at: now) { send([.answerPairing(isAccepted: false)]) }
    guard let painter, display.isReady else { return }
    model.notices.showNextLater(at: now)
    let (context, recheck) = context(painter, at: now)
    let state = model.shownState
    let next = layout(state, context, painter.shaper)
    var damage = painter.show(next)
    if scene == nil { damage = .everything(panel.size) }
    scene = next
    shown = (state, context)
    if damage.isEmpty {
      reportShown()
    } else {
      paints.count += 1
      paints.pixels += damage.area
      if let token {
        unconfirmed = token
        self.token = nil
      }
      painter.withPixels { bytes, stride in
        display.present(
          Picture(bytes: bytes, stride: stride, size: painter.size), damage: damage.rects)
      }
    }
    requestThumbnails()
    // The element under a finger may have changed.
    let asked = model.adapt(to: next)
    if !asked.isEmpty { send(asked) }
    let changes = NowPlayingLayout.nextChange(state, context)?.awake
    timer?.set(
      at: [changes, model.nextDeadline, recheck, report.repetition].compactMap { $0 }.min())
  }

  /// Reports what the visible picture shows to the daemon, if this is due (P12).
  func reportShown() {
    guard isSurface, let scene, let shown else { return }
    let reading = scene.reading(of: shown.state, shown.context)
    guard report.record(reading, at: .now()) else { return }
    client.observed(reading) { [weak self] in
      self?.report.repeatLater(from: .now())
      self?.paintSoon()
    }
  }

  /// The data for the next picture, and the time at which the clock or the sensor must be
  /// read again. The time is nil if nothing must be read again.
  func context(_ painter: Painter, at now: MonotonicInstant) -> (ScreenContext, Duration?) {
    let reading = wallClock.reading(in: model.preferences.zone)
    model.time = reading.map { SettingFacts.Time(hour: $0.hour, minute: $0.minute) }
    model.hasBacklight = display.hasBacklight
    var context = model.context(panel: panel, at: now)
    context.clock = reading?.clock(model.preferences.clock, at: now)
    var recheck: [Duration] = []
    if reading == nil { recheck.append(now.awake + WallClock.retry) }
    // Day can change to night, and night to day, at each full minute. So the clock is read again
    // when this minute has ended, even if the time of day is not shown.
    if let reading, context.clock == nil, model.preferences.light != .day,
      model.preferences.light != .night
    {
      recheck.append(now.awake + reading.rest + .milliseconds(1))
    }
    var value: Double?
    if model.preferences.light == .sensor, let path = model.preferences.lightSensor {
      let isOld = light.map { now.awake >= $0.at + AppearanceSelector.sensorInterval } ?? true
      if isOld { light = (AppearanceSelector.read(path), now.awake) }
      value = light?.value
      recheck.append((light?.at ?? now.awake) + AppearanceSelector.sensorInterval)
    }
    context.appearance = dayOrNight.appearance(
      model.preferences, minute: reading?.minuteOfDay, light: value,
      headlights: vehicle.headlightsAreOn)
    if let brightness = model.preferences.brightness[context.appearance] {
      display.setBrightness(brightness)
    }
    context.colors = covers.colors(
      model.shownState, isAway: DaemonAbsence(context).map { $0 != .unnoticed } ?? false, painter)
    return (context, recheck.min())
  }
}
