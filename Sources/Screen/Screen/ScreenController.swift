package import Control
package import EventLoop
internal import NowPlaying
internal import PictureProgram
internal import Reports
package import ScreenDisplay
package import ScreenLayout
package import ScreenPainter
internal import Settings
internal import SystemClock
internal import Threads

/// The running screen. It connects the control socket with a display.
///
/// - Thread: the thread of its event loop. This thread sleeps until a message or a touch arrives, or until the time
///   that ``NowPlayingLayout/nextChange(_:_:)`` returns. While a track plays, there is one small repaint per second. A
///   picture that does not change is not painted again. Covers are decoded in another process.
package final class ScreenController {
  /// The name under which the unit's own screen registers.
  package static let usualSurface = "screen"

  /// A turn of a knob counts as fast if one message of the daemon contains at least this number of steps.
  private static let fastTurn = 4

  let loop: EventLoop
  let client: ControlClient
  let display: any Display
  let surface: String?
  var model: ScreenModel
  var painter: Painter?
  var panel: Panel
  var covers = CoverCache()
  var buttonPictures = ButtonPictureCache()
  var thumbnails = ThumbnailRequests()
  let pictures: PictureLoader
  let wallClock: WallClock
  /// The time to which the user has set the clock, in seconds since 1970. Nil if the daemon has answered the last
  /// change.
  var wantedTime: Int?
  private var dayOrNight = AppearanceSelector()
  /// The scene that was painted last. Nil if the next picture must be painted completely.
  package internal(set) var scene: Scene?
  private var timer: TimerSource?
  private var decoded: DescriptorSource?
  private var isPaintDue = false
  var isHanging = false
  /// The token that the daemon has sent to test the channel (C7). The screen returns the token when the next picture is
  /// visible.
  private var token: Int?
  private var unconfirmed: Int?
  /// True while the screen is registered as a surface. The screen is registered only while it has a display.
  private(set) var isSurface = false
  /// Decides when the screen reports what it shows.
  var report = ShownReport()
  /// Computes the scene of a state and a context.
  var layout: (NowPlayingState, ScreenContext, any TextMeasuring) -> Scene = {
    NowPlayingLayout.scene($0, $1, measure: $2)
  }
  /// The state and the context of ``scene``.
  var shown: (state: NowPlayingState, context: ScreenContext)?
  /// The number of pending answers: covers, thumbnails and button pictures from the daemon, and pictures that are being
  /// decoded.
  var waiting = 0
  /// The last received state of the car. The state is kept while the daemon is unavailable, so that the appearance does
  /// not change when the daemon restarts.
  private var vehicle = VehicleState()
  /// The value of the light sensor, and the time at which the sensor was read.
  private var light: (value: Double?, at: Duration)?

  /// Called with each line for the log.
  package var onLog: ScreenEvent.Log?
  /// The number of paints and of painted pixels, for tests and measurements.
  package internal(set) var paints = (count: 0, pixels: 0)

  /// Creates the screen and starts the thread that loads pictures. ``start()`` starts the other parts.
  /// - Parameters:
  ///   - surface: the name under which the screen registers as a surface; nil to show the state without registering.
  ///   - decoder: the path of the program that decodes pictures. If nil, the program is `autoharp-cover` in the folder
  ///     of the running program.
  package init(
    _ loop: EventLoop, _ client: ControlClient, _ display: any Display,
    _ preferences: ScreenPreferences, surface: String? = usualSurface,
    wallClock: WallClock = .machine, decoder: String? = nil
  ) {
    pictures = PictureLoader(PictureProcess(path: decoder))
    self.surface = surface
    self.loop = loop
    self.client = client
    self.display = display
    self.wallClock = wallClock
    panel = Panel(size: display.size, diagonalInches: preferences.diagonalInches)
    model = ScreenModel(preferences, panel: panel, at: .now())
  }

  /// Connects to the daemon and starts the display.
  package func start() throws(SystemError) {
    timer = TimerSource(loop, accuracy: .milliseconds(1)) { [weak self] in self?.timePassed() }
    decoded = try DescriptorSource(loop, descriptor: pictures.wakeUp.descriptor) { [weak self] _ in
      self?.receivePictures()
    }
    display.onReady = { [weak self] in self?.displayAdded() }
    display.onResize = { [weak self] in self?.displayAdded() }
    display.onLost = { [weak self] in self?.displayRemoved() }
    display.onShown = { [weak self] in self?.pictureShown() }
    display.onPointer = { [weak self] in self?.handle($0) }
    display.onFocus = { [weak self] in self?.handle($0) }
    display.onLog = { [weak self] in self?.onLog?($0, $1) }
    client.onState = { [weak self] _ in self?.daemonChanged() }
    client.onNowPlaying = { [weak self] in self?.receive($0) }
    client.onProblem = { [weak self] in self?.onLog?(.daemonUnreadable, $0) }
    client.onNotice = { [weak self] in self?.receive($0) }
    client.onFocus = { [weak self] in self?.handle($0) }
    client.onVehicle = { [weak self] state in
      self?.vehicle = state
      self?.model.isParked = state.isParked
      self?.model.isReversing = state.isReversing == true
      self?.paintSoon()
    }
    client.follow(notices: true, focus: true, vehicle: true)
    client.onPhones = { [weak self] in self?.receive($0) }
    client.subscribeToPhones()
    client.onLibrary = { [weak self] in self?.receive($0) }
    client.subscribeToLibrary()
    client.subscribe()
    client.start()
    display.start()
  }

  /// Ends the thread that loads pictures. Blocks until this thread has ended. No other method must be called
  /// afterwards.
  package func shutDown() {
    timer?.cancel()
    decoded?.cancel()
    pictures.shutDown()
  }

  /// True if all requested data has arrived and is painted. The picture then stays the same until the next event.
  package var isSettled: Bool { model.state != nil && scene != nil && waiting == 0 && !isPaintDue }

  /// Writes the current picture to a PNG file.
  package func writePNG(to path: String) throws(PNGError) { try painter?.writePNG(to: path) }

  /// Applies a changed configuration.
  package func setPreferences(_ preferences: ScreenPreferences) {
    guard preferences != model.preferences else { return }
    let old = model.preferences
    model.preferences = preferences
    light = nil
    guard display.isReady else { return }
    let isSameLayout =
      old.diagonalInches == preferences.diagonalInches && old.textScale == preferences.textScale
      && old.language == preferences.language
    if isSameLayout { paintSoon() } else { displayAdded() }
  }

  // MARK: The display

  private func displayAdded() {
    registerSurface()
    // A size that is not an integer after rounding, such as NaN, is ignored.
    let edid = display.millimetres.flatMap { size -> (width: Int, height: Int)? in
      guard let width = Int(exactly: size.width.rounded()),
        let height = Int(exactly: size.height.rounded())
      else { return nil }
      return (width, height)
    }
    panel = Panel(
      size: display.size, diagonalInches: model.preferences.diagonalInches, edidMillimetres: edid)
    send(model.replacePanel(panel))
    let fonts = FontFamilies(language: model.preferences.language(of: model.shownState).description)
    painter = Painter(size: panel.size, fonts: fonts)
    scene = nil
    covers = CoverCache()
    requestCover()
    buttonPictures.forget()
    thumbnails = ThumbnailRequests()
    requestButtonPictures()
    repaintAll()
  }

  /// Without a display, the screen shows nothing. So it is unregistered as a surface, and the diagnosis does not expect
  /// it to show the state.
  private func displayRemoved() {
    client.unregister()
    isSurface = false
    token = nil
    unconfirmed = nil
    send(model.replacePanel(panel))
    painter = nil
    scene = nil
    shown = nil
    timer?.stop()
  }

  private func registerSurface() {
    guard let surface, !isSurface else { return }
    isSurface = true
    client.register(as: surface, showsTemplate: true) { [weak self] token in
      self?.token = token
      self?.repaintAll()
    }
  }

  private func pictureShown() {
    reportShown()
    if let token = unconfirmed {
      unconfirmed = nil
      client.confirmShown(token)
    }
  }

  // MARK: Fingers

  private func handle(_ event: PointerEvent) {
    // A touch must apply to the newest state. So if a picture is due, it is painted first.
    if isPaintDue, case .down = event { paint() }
    guard let scene else { return }
    send(model.handle(event, in: scene, at: .now()))
    paintSoon()
  }

  private func handle(_ event: FocusEvent) {
    if isPaintDue { paint() }
    guard let scene else { return }
    send(model.handle(event, in: scene, at: .now()))
    paintSoon()
  }

  /// Handles a move of the focus, which the daemon has read from a knob or a key of the car.
  private func handle(_ move: FocusMove) {
    let event: FocusEvent =
      switch move.kind {
      case .next: .next
      case .previous: .previous
      case .activate: .activate
      case .back: .back
      }
    if move.times >= Self.fastTurn, event == .next || event == .previous {
      return handle(.turn(event == .next ? move.times : -move.times))
    }
    for _ in 0..<move.times { handle(event) }
  }

  private func timePassed() {
    send(model.pass(to: .now()))
    paint()
  }

  // MARK: Painting

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
    // The element under a finger can have changed, so the touch and the focus are adapted to the new scene.
    let asked = model.adapt(to: next)
    if !asked.isEmpty { send(asked) }
    let changes = NowPlayingLayout.nextChange(state, context)?.awake
    timer?.set(
      at: [changes, model.nextDeadline, recheck, report.repetition].compactMap { $0 }.min())
  }

  /// Reports to the daemon what the visible picture shows, if a report is due (P12).
  private func reportShown() {
    guard isSurface, let scene, let shown else { return }
    let reading = scene.reading(of: shown.state, shown.context)
    guard report.record(reading, at: .now()) else { return }
    client.observed(reading) { [weak self] in
      self?.report.repeatLater(from: .now())
      self?.paintSoon()
    }
  }

  /// The data for the next picture, and the time at which the clock or the sensor must be read again. The time is nil
  /// if nothing must be read again.
  private func context(_ painter: Painter, at now: MonotonicInstant) -> (ScreenContext, Duration?) {
    let reading = wallClock.reading(in: model.preferences.zone)
    model.time = reading.map { SettingFacts.Time(hour: $0.hour, minute: $0.minute) }
    model.hasBacklight = display.hasBacklight
    var context = model.context(panel: panel, at: now)
    context.clock = reading?.clock(model.preferences.clock, at: now)
    var recheck: [Duration] = []
    if reading == nil { recheck.append(now.awake + WallClock.retry) }
    // Day can change to night, and night to day, at each full minute. So the clock is read again when this minute has
    // ended, even if the time of day is not shown.
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
