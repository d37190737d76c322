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
package final class ScreenUnit {
  /// How the unit's own screen names itself.
  package static let usualSurface = "screen"

  let loop: EventLoop
  let client: ControlClient
  let display: any Display
  private let surface: String?
  var model: ScreenModel
  var painter: Painter?
  var panel: Panel
  var covers = CoverKeeper()
  private var buttonPictures = ButtonPictureKeeper()
  private let decoder: CoverDecoder
  private let wallClock: WallClock
  private var dayOrNight = DayOrNight()
  private(set) var scene: Scene?
  private var timer: TimerSource?
  private var decoded: DescriptorSource?
  private var isPaintDue = false
  private var isHanging = false
  /// To be confirmed with the next picture that can be seen (C7).
  private var token: Int?
  private var unconfirmed: Int?
  /// Answers that are awaited; a wish that was replaced by another is not counted back.
  private var waiting = 0
  /// The sensor, and when it was read.
  private var light: (value: Double?, at: Duration)?

  /// Called with what an operator should know, a line each.
  package var onNotice: ((String) -> Void)?
  /// How often something was painted, and how many pixels in all; for tests and figures.
  package private(set) var paints = (count: 0, pixels: 0)

  /// Does nothing yet.
  /// - Parameters:
  ///   - surface: its name as one; nil to look on and be none.
  ///   - runtimeFolder: where it may leave a word for the next start; nil for nowhere.
  package init(
    _ loop: EventLoop, _ client: ControlClient, _ display: any Display,
    _ preferences: ScreenPreferences, surface: String? = usualSurface,
    wallClock: WallClock = .machine, runtimeFolder: String? = nil
  ) {
    decoder = CoverDecoder(runtimeFolder: runtimeFolder)
    self.surface = surface
    self.loop = loop
    self.client = client
    self.display = display
    self.wallClock = wallClock
    panel = Panel(size: display.size, diagonalInches: preferences.diagonalInches)
    model = ScreenModel(preferences, panel: panel)
  }

  /// Begins to connect and to show.
  package func start() throws(SystemError) {
    timer = TimerSource(loop, accuracy: .milliseconds(1)) { [weak self] in self?.timePassed() }
    decoded = try DescriptorSource(loop, descriptor: decoder.wakeUp.descriptor) { [weak self] _ in
      self?.coversCame()
    }
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
    client.follow(notices: true)
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
    decoder.shutDown()
  }

  /// Everything that was asked for is there: the picture is as it will be until something happens.
  package var isSettled: Bool { model.state != nil && scene != nil && waiting == 0 && !isPaintDue }

  /// Writes the picture as it is.
  package func writePNG(to path: String) throws(PNGTrouble) { try painter?.writePNG(to: path) }

  /// The configuration is another one now.
  package func setPreferences(_ preferences: ScreenPreferences) {
    guard preferences != model.preferences else { return }
    model.preferences = preferences
    light = nil
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
    covers = CoverKeeper()
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

  // MARK: The daemon

  private func daemonChanged() {
    if client.state == .connected {
      // After a hang the same connection goes on, and nothing is said anew. After a loss, back is only
      // who has said how things are.
      if isHanging {
        model.setAway(model.state == nil)
        if let phones = client.phones { model.take(phones, at: .now()) }
      }
      isHanging = false
    } else {
      if case .hangs = client.state { isHanging = true } else { isHanging = false }
      model.setAway(true)
      buttonPictures.forget()
      onNotice?("the daemon cannot be asked: \(client.state)")
    }
    paintSoon()
  }

  private func take(_ state: NowPlayingState) {
    model.setAway(false)
    model.take(state, at: .now())
    wantCover()
    wantButtonPictures()
    paintSoon()
    if surface != nil { client.observed(ShownFacts(of: state, at: .now())) }
  }

  /// Asks the daemon for what the model wants.
  func fulfil(_ requests: [ScreenPages.Request]) {
    for request in requests {
      switch request {
      case .command(.command(let command), let isSilent):
        client.send(command) { [weak self] result in
          if !isSilent { self?.answered(result) }
        }
      case .command: break
      case .playItem(let id):
        client.playQueueItem(id) { [weak self] result in
          if case .failure = result { self?.say(.notPossible) }
        }
      case .album:
        client.album { [weak self] in self?.albumCame($0) }
      case .answerPairing(let isAccepted):
        guard let number = model.takePairingNumber() else { break }
        client.answerPairing(number, accepts: isAccepted) { [weak self] result in
          // A question that was taken back meanwhile is no trouble where it was denied.
          if isAccepted, case .failure = result { self?.say(.pairingFailed) }
        }
      case .pairPhone:
        client.pairing(opens: true) { [weak self] result in
          if case .success = result {
            self?.say(.pairingOpen, .bluetooth)
          } else {
            self?.say(.notPossible)
          }
        }
      }
    }
  }

  private func albumCame(_ result: Result<AlbumReport, ControlError>) {
    guard case .success(let album) = result else { return }
    model.albumCame(
      title: album.title,
      rows: album.items.map {
        ScreenContext.Row(
          id: $0.id, title: $0.title, subtitle: $0.artist, duration: $0.duration,
          artworkID: $0.artworkID)
      })
    paintSoon()
  }

  private func take(_ phones: PhonesState) {
    model.take(phones, at: .now())
    paintSoon()
  }

  private func take(_ notice: UnitNotice) {
    let language = model.preferences.language(of: model.shownState)
    let (phrase, symbol): (Phrase, Symbol) =
      switch notice.kind {
      case .mediumGone: (.mediumGone, .stick)
      case .outputGone: (.outputGone, .mute)
      case .outputBack: (.outputBack, .volume)
      case .cannotPlay: (.cannotPlay, .warning)
      }
    let about = notice.about.isEmpty ? "" : ": \(notice.about)"
    model.show(symbol, phrase.text(language) + about, at: .now())
    paintSoon()
  }

  private func answered(_ result: Result<ControlClient.Outcome, ControlError>) {
    switch result {
    case .success(let outcome) where outcome.answer == .success: break
    case .success(let outcome):
      onNotice?("\(outcome.answer)")
      say(.notPossible)
    case .failure(.unreachable): break
    case .failure(let error):
      onNotice?("\(error)")
      say(.notPossible)
    }
  }

  func say(_ phrase: Phrase, _ symbol: Symbol = .warning) {
    model.show(
      symbol, phrase.text(model.preferences.language(of: model.shownState)), at: .now())
    paintSoon()
  }

  // MARK: Covers

  private func wantCover() {
    guard let painter, let state = model.state, let content = state.content,
      case .artwork(let id) = state.artwork, covers.shouldAsk(id, painter)
    else { return }
    let side = NowPlayingLayout.largestCover(panel)
    waiting += 1
    client.artwork(for: content.id, size: ArtworkSize(width: side, height: side)) {
      [weak self] result in
      self?.coverFound(id, side, result)
    }
  }

  private func coverFound(
    _ id: String, _ side: Int, _ result: Result<ArtworkAnswer, ControlError>
  ) {
    switch result {
    case .success(.image(let picture)):
      // Until it is decoded.
      waiting += 1
      decoder.want(CoverDecoder.Wish(id: id, path: picture.reference, side: side))
    case .success(.placeholder): covers.note(id, .none)
    case .success(.superseded), .failure: covers.note(id, .unknown)
    }
    waiting -= 1
    paintSoon()
  }

  private func coversCame() {
    for answer in decoder.takeAnswers() {
      waiting -= 1
      if let trouble = answer.trouble { onNotice?(trouble) }
      if let image = answer.image { painter?.pictures.set(image, for: answer.wish.id) }
      covers.note(answer.wish.id, answer.image == nil ? .none : .here)
    }
    paintSoon()
  }

  // MARK: Button pictures

  private func wantButtonPictures() {
    guard painter != nil, let state = model.state else { return }
    for name in buttonPictures.missing(in: state) {
      waiting += 1
      client.buttonPicture(name) { [weak self] result in
        self?.waiting -= 1
        guard case .success(let picture?) = result else { return }
        self?.show(picture, named: name)
      }
    }
  }

  private func show(_ picture: ButtonPicture, named name: String) {
    do {
      painter?.pictures.set(try SourcePicture(picture), named: name)
      paintSoon()
    } catch {
      // Its first letter is drawn.
      onNotice?("the picture of the button '\(name)' cannot be drawn: \(error)")
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

  private func timePassed() {
    fulfil(model.pass(to: .now()))
    paint()
  }

  // MARK: Painting

  /// Several things at once are one picture.
  func paintSoon() {
    guard !isPaintDue else { return }
    isPaintDue = true
    loop.defer { [weak self] in
      guard let self, isPaintDue else { return }
      paint()
    }
  }

  private func repaintAll() {
    scene = nil
    paintSoon()
  }

  private func paint() {
    isPaintDue = false
    let now = MonotonicInstant.now()
    if model.mustDenyPairing(at: now) { fulfil([.answerPairing(isAccepted: false)]) }
    guard let painter, display.isReady else { return }
    let (context, recheck) = context(painter, at: now)
    let state = model.shownState
    let next = NowPlayingLayout.scene(state, context, measure: painter.shaper)
    var damage = painter.show(next)
    if scene == nil { damage = .everything(panel.size) }
    scene = next
    if !damage.isEmpty {
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
    // What a finger is on may be another thing now.
    let asked = model.adapt(to: next)
    if !asked.isEmpty { fulfil(asked) }
    let changes = NowPlayingLayout.nextChange(state, context)?.awake
    setTimer([changes, model.nextDeadline, recheck].compactMap { $0 }.min())
  }

  private func setTimer(_ moment: Duration?) {
    guard let moment else {
      timer?.stop()
      return
    }
    let (seconds, attoseconds) = moment.components
    timer?.set(at: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  /// What is known now, and when the machine must be looked at again.
  private func context(_ painter: Painter, at now: MonotonicInstant) -> (ScreenContext, Duration?) {
    var context = model.context(panel: panel, at: now)
    let reading = wallClock.reading()
    context.clock = reading?.clock(model.preferences.clock, at: now)
    var recheck: [Duration] = []
    if reading == nil { recheck.append(now.awake + WallClock.retry) }
    // Day and night change with a minute, also where no clock is shown.
    if let reading, context.clock == nil, model.preferences.light != .day,
      model.preferences.light != .night
    {
      recheck.append(now.awake + reading.rest + .milliseconds(1))
    }
    var value: Double?
    if model.preferences.light == .sensor, let path = model.preferences.lightSensor {
      let isOld = light.map { now.awake >= $0.at + DayOrNight.sensorInterval } ?? true
      if isOld { light = (DayOrNight.read(path), now.awake) }
      value = light?.value
      recheck.append((light?.at ?? now.awake) + DayOrNight.sensorInterval)
    }
    context.appearance = dayOrNight.appearance(
      model.preferences, minute: reading?.minuteOfDay, light: value)
    context.colors = covers.colors(model.shownState, isAway: model.isDaemonAway, painter)
    return (context, recheck.min())
  }
}
