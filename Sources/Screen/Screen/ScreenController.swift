package import Control
package import EventLoop
internal import NowPlaying
internal import Reports
package import ScreenDisplay
internal import ScreenLayout
package import ScreenPainter
internal import Settings
internal import SystemClock
internal import Threads

/// The screen as it runs: between the control socket and a display.
///
/// One thread, that of its loop; covers are decoded on another. It sleeps until something is said or
/// touched, or until ``NowPlayingLayout/nextChange(_:_:)``: playing costs one small repaint a second,
/// and what stands still costs none.
package final class ScreenController {
  /// How the unit's own screen names itself.
  package static let usualSurface = "screen"

  let loop: EventLoop
  let client: ControlClient
  let display: any Display
  let surface: String?
  var model: ScreenModel
  var painter: Painter?
  var panel: Panel
  var covers = CoverCache()
  var buttonPictures = ButtonPictureCache()
  let decoder: CoverDecoder
  let wallClock: WallClock
  var dayOrNight = AppearanceSelector()
  var scene: Scene?
  var timer: TimerSource?
  var decoded: DescriptorSource?
  var isPaintDue = false
  var isHanging = false
  /// To be confirmed with the next picture that can be seen (C7).
  var token: Int?
  var unconfirmed: Int?
  /// Answers that are awaited; a request that was replaced by another is not counted back.
  var waiting = 0
  let headlights: Headlights
  /// The sensor, and when it was read.
  var light: (value: Double?, at: Duration)?

  /// Called with what an operator should know, a line each.
  package var onNotice: ((String) -> Void)?
  /// How often something was painted, and how many pixels in all; for tests and figures.
  package internal(set) var paints = (count: 0, pixels: 0)

  /// Does nothing yet.
  /// - Parameters:
  ///   - surface: its name as one; nil to look on and be none.
  ///   - runtimeFolder: where it may leave a word for the next start; nil for nowhere.
  package init(
    _ loop: EventLoop, _ client: ControlClient, _ display: any Display,
    _ preferences: ScreenPreferences, surface: String? = usualSurface,
    wallClock: WallClock = .machine, lines: HeadlightLines = .machine,
    runtimeFolder: String? = nil
  ) {
    decoder = CoverDecoder(runtimeFolder: runtimeFolder)
    self.surface = surface
    self.loop = loop
    self.client = client
    self.display = display
    self.wallClock = wallClock
    headlights = Headlights(loop, lines)
    panel = Panel(size: display.size, diagonalInches: preferences.diagonalInches)
    model = ScreenModel(preferences, panel: panel)
  }

  /// Begins to connect and to show.
  package func start() throws(SystemError) {
    timer = TimerSource(loop, accuracy: .milliseconds(1)) { [weak self] in self?.timePassed() }
    decoded = try DescriptorSource(loop, descriptor: decoder.wakeUp.descriptor) { [weak self] _ in
      self?.coversCame()
    }
    headlights.onChange = { [weak self] in self?.paintSoon() }
    headlights.onNotice = { [weak self] in self?.onNotice?($0) }
    headlights.choose(model.preferences.usedHeadlightLine)
    display.onReady = { [weak self] in self?.displayCame() }
    display.onResize = { [weak self] in self?.displayCame() }
    display.onLost = { [weak self] in self?.displayWent() }
    display.onShown = { [weak self] in self?.pictureShown() }
    display.onPointer = { [weak self] in self?.take($0) }
    display.onFocus = { [weak self] in self?.take($0) }
    display.onNotice = { [weak self] in self?.onNotice?($0) }
    client.onState = { [weak self] _ in self?.daemonChanged() }
    client.onNowPlaying = { [weak self] in self?.take($0) }
    client.onTrouble = { [weak self] in self?.onNotice?($0) }
    client.onNotice = { [weak self] in self?.take($0) }
    client.onFocus = { [weak self] in self?.take($0) }
    client.follow(notices: true, focus: true)
    client.onPhones = { [weak self] in self?.take($0) }
    client.subscribeToPhones()
    if let surface {
      client.register(as: surface, showsTemplate: true) { [weak self] token in
        self?.token = token
        self?.repaintAll()
      }
    } else {
      client.subscribe()
    }
    client.start()
    display.start()
  }

  /// Ends the thread that decodes. Nothing may be called afterwards.
  package func shutDown() {
    timer?.cancel()
    decoded?.cancel()
    headlights.choose(nil)
    decoder.shutDown()
  }

  /// Everything that was asked for is there: the picture is as it will be until something happens.
  package var isSettled: Bool { model.state != nil && scene != nil && waiting == 0 && !isPaintDue }

  /// Writes the picture as it is.
  package func writePNG(to path: String) throws(PNGError) { try painter?.writePNG(to: path) }

  /// The configuration is another one now.
  package func setPreferences(_ preferences: ScreenPreferences) {
    guard preferences != model.preferences else { return }
    model.preferences = preferences
    light = nil
    headlights.choose(preferences.usedHeadlightLine)
    if display.isReady { displayCame() }
  }

  // MARK: The display

  private func displayCame() {
    // Nonsense is nobody's size.
    let edid = display.millimetres.flatMap { size -> (width: Int, height: Int)? in
      guard let width = Int(exactly: size.width.rounded()),
        let height = Int(exactly: size.height.rounded())
      else { return nil }
      return (width, height)
    }
    panel = Panel(
      size: display.size, diagonalInches: model.preferences.diagonalInches, edidMillimetres: edid)
    fulfil(model.replacePanel(panel))
    let fonts = FontFamilies(language: model.preferences.language(of: model.shownState).description)
    painter = Painter(size: panel.size, fonts: fonts)
    scene = nil
    covers = CoverCache()
    wantCover()
    buttonPictures.forget()
    wantButtonPictures()
    repaintAll()
  }

  private func displayWent() {
    fulfil(model.replacePanel(panel))
    painter = nil
    scene = nil
    timer?.stop()
  }

  private func pictureShown() {
    if let token = unconfirmed {
      unconfirmed = nil
      client.confirmShown(token)
    }
  }

  // MARK: Fingers

  private func take(_ event: PointerEvent) {
    // What is touched is what would be shown now.
    if isPaintDue, case .down = event { paint() }
    guard let scene else { return }
    fulfil(model.handle(event, in: scene, at: .now()))
    paintSoon()
  }

  private func take(_ event: FocusEvent) {
    if isPaintDue { paint() }
    guard let scene else { return }
    fulfil(model.handle(event, in: scene, at: .now()))
    paintSoon()
  }

  /// A knob or key of the car that the daemon reads.
  private func take(_ move: FocusMove) {
    let event: FocusEvent =
      switch move.kind {
      case .next: .next
      case .previous: .previous
      case .activate: .activate
      case .back: .back
      }
    for _ in 0..<move.times { take(event) }
  }

  private func timePassed() {
    fulfil(model.pass(to: .now()))
    paint()
  }
}
