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
/// - Thread: the thread of its event loop. This thread sleeps until a message or a touch arrives,
///   or until the time that ``NowPlayingLayout/nextChange(_:_:)`` returns. While a track plays,
///   there is one small repaint per second. A picture that does not change is not painted again.
///   Covers are decoded in another process.
package final class ScreenController {
  /// The name under which the unit's own screen registers.
  package static let usualSurface = "screen"

  /// From this number of steps in one report on, a turn of a knob is a fast one.
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
  /// The time that a person wants, in seconds since 1970, until the daemon has answered. Nil if no answer is awaited.
  var wantedTime: Int?
  var dayOrNight = AppearanceSelector()
  /// What is shown. Nil until the first picture.
  package internal(set) var scene: Scene?
  var timer: TimerSource?
  var decoded: DescriptorSource?
  var isPaintDue = false
  var isHanging = false
  /// The token of a channel test (C7), which the daemon has sent. The screen returns the token when
  /// the next picture is visible.
  var token: Int?
  var unconfirmed: Int?
  /// True while the screen is registered as a surface. It is one only while it has a display.
  private(set) var isSurface = false
  /// Decides when the screen reports what it shows.
  var report = ShownReport()
  /// Makes the scene of a state and a context.
  var layout: (NowPlayingState, ScreenContext, any TextMeasuring) -> Scene = {
    NowPlayingLayout.scene($0, $1, measure: $2)
  }
  /// The state and the context of ``scene``.
  var shown: (state: NowPlayingState, context: ScreenContext)?
  /// The number of pending answers: covers and button pictures from the daemon, and pictures that
  /// are being decoded.
  var waiting = 0
  /// The last received state of the car. The state is kept while the daemon is unavailable, so that
  /// the appearance does not change at a restart of the daemon.
  var vehicle = VehicleState()
  /// The value of the light sensor, and the time at which the sensor was read.
  var light: (value: Double?, at: Duration)?

  /// Called with each line for the log.
  package var onLog: ScreenEvent.Log?
  /// The number of paints and of painted pixels, for tests and measurements.
  package internal(set) var paints = (count: 0, pixels: 0)

  /// Starts the thread that loads pictures, and nothing else.
  /// - Parameters:
  ///   - surface: the name under which the screen registers as a surface; nil to show the state
  ///     without registering.
  ///   - decoder: the path of the program that decodes pictures. If nil, the program is
  ///     `autoharp-cover` in the folder of the running program.
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

  /// Ends the thread that loads pictures. Blocks until this thread has ended. No method may be
  /// called afterwards.
  package func shutDown() {
    timer?.cancel()
    decoded?.cancel()
    pictures.shutDown()
  }

  /// True if all requested data has arrived and is painted. The picture then stays the same until
  /// the next event.
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
    // A size that is no integer after rounding, such as NaN, is ignored.
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

  /// A screen without a display shows nothing, so it is no surface, and the diagnosis does not miss it.
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
}
