internal import AppPlayer
internal import AppStream
internal import Artwork
internal import Control
internal import EventLoop
internal import HeadUnit
internal import LibraryModel
internal import LocalPlayer
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import UnitState

/// Programs that are sources (apps). Connects their sessions on the control socket with the ``AppPlayer``.
final class UnitApps {
  let player: AppPlayer
  private let center: NowPlayingCenter
  private let covers: AppCovers
  private let turns: Turns
  private let log: UnitLog
  /// The sessions whose app does not know their number yet.
  private var opening: [UnitAppSession] = []

  /// - Parameter cache: stores the covers of apps. Nil if no surface shows covers.
  init(
    _ loop: EventLoop, _ unit: HeadUnit, _ plan: StartPlan, _ buttons: ConfiguredButtons,
    _ cache: ArtworkCache?, _ turns: Turns, log: UnitLog
  ) {
    center = unit.center
    covers = AppCovers(loop, unit.center, cache, turns, log: log)
    self.turns = turns
    self.log = log
    player = AppPlayer(
      engine: unit.engine, center: unit.center, configure: { buttons.configureForPhone(&$0) },
      unitTemplate: { buttons.configureForApp(&$0) },
      clock: MonotonicInstant.now)
    player.onSilence = { [log] in
      log(.appSilent, "\($0.name) does not answer its commands", at: .now())
    }
    guard case .app(let app, let thenMusic) = plan else { return }
    lastWanted = app
    player.wait(for: SessionID(app.session), name: app.name, time: Self.startTime) { [weak self] in
      self?.isMusicDue = thenMusic && $0 == .absent
    }
  }

  /// The time for which the unit waits after its start for the app that was the last source.
  private static let startTime = Duration.seconds(20)
  /// True if the app that was the last source has not come, so that the music of the unit plays.
  private var isMusicDue = false
  /// The result of the last ``wanted``, because the name of an app that does not run is not known otherwise.
  private var lastWanted: UnitState.WantedApp?

  /// Returns true once if the music of the unit is to play in place of the app that was the last source.
  func takePlayRequest() -> Bool {
    defer { isMusicDue = false }
    return isMusicDue
  }

  /// The app that is to play, also if it does not run now. Nil if another source is to play.
  var wanted: UnitState.WantedApp? {
    guard let id = center.wishes.wantedApp else { return nil }
    if let name = player.known.first(where: { $0.id == id })?.name {
      lastWanted = UnitState.WantedApp(session: id.rawValue, name: name)
    }
    return lastWanted?.session == id.rawValue ? lastWanted : nil
  }

  /// Must be called in each turn.
  func update() {
    let opened = opening
    opening = []
    for session in opened { session.opened() }
    player.update()
    covers.update()
  }

  /// Must be called with each event of the player: while the output is lost, no app can be heard.
  func handle(_ event: LocalPlayer.Event) {
    switch event {
    case .outputFailed: player.setOutputLost(true)
    case .outputRegained: player.setOutputLost(false)
    default: break
    }
  }
}

extension UnitApps: ControlledApps {
  func open(
    _ opening: SessionOpening, _ access: AppAccess, _ port: AppPort, at now: MonotonicInstant
  ) -> Result<(session: any ControlledSession, welcome: SessionWelcome), Refusal> {
    let name = opening.name ?? access.name ?? opening.id
    let session = UnitAppSession(player, port, center, covers, turns, log: log)
    let opened = player.open(
      SessionID(app: opening.id), name: name, picture: access.picture,
      audio: AudioSession(options: opening.audio),
      template: AppTemplate(opening.template), send: { [weak session] in session?.send($0) })
    session.begin(opened.session)
    self.opening.append(session)
    log(.appOpened, "\(name) is a source", at: now)
    turns.request()
    return .success(
      (
        session: session,
        welcome: SessionWelcome(
          language: center.state.language, hasScreen: center.hasScreen, hasPlayed: opened.plays)
      ))
  }
}

extension UnitApps {
  var volumes: [VolumeState] {
    player.known.map { app in
      var volume = VolumeState(
        app: app.id.app ?? app.id.rawValue, name: app.name, isOpen: app.session != nil,
        obstacle: app.session?.obstacle)
      volume.plays = app.session?.isPrimary == true && center.state.status.isAdvancing
      return volume
    }
  }

  func choose(_ id: String, at now: MonotonicInstant) -> AppChoice {
    guard let session = player.session(SessionID(app: id)) else { return .absent }
    if case .refused = session.claim(isPerson: true) {
      session.tellToPlay()
      return .told
    }
    return .isPrimary
  }
}

/// A session of an app on the control socket.
final class UnitAppSession: ControlledSession {
  private let player: AppPlayer
  private let port: AppPort
  private let center: NowPlayingCenter
  private let covers: AppCovers
  private let turns: Turns
  private let log: UnitLog
  private var session: AppSession?
  /// The events before the app knows the number of its session. Nil afterwards.
  private var early: [AppEvent]? = []

  init(
    _ player: AppPlayer, _ port: AppPort, _ center: NowPlayingCenter, _ covers: AppCovers,
    _ turns: Turns, log: UnitLog
  ) {
    self.log = log
    self.covers = covers
    self.player = player
    self.port = port
    self.center = center
    self.turns = turns
  }

  func begin(_ session: AppSession) { self.session = session }

  /// Must be called after the app has got the number of its session.
  func opened() {
    let events = early ?? []
    early = nil
    for event in events { send(event) }
  }

  func send(_ event: AppEvent) {
    if early != nil {
      early?.append(event)
      return
    }
    switch event {
    case .command(let number, let request): port.send(request, number: number)
    case .instruction(let instruction): port.send(instruction)
    case .screenConnected(let number, let surface):
      port.send(ConnectedScreen(number: number, name: "\(surface.id)"))
    case .artworkWanted(let request): port.send(WantedArtwork(request))
    case .status(let status):
      port.send(
        SessionStatus(
          isPrimary: status.isPrimary, hold: status.hold.map { SessionHold($0) },
          missing: status.missing, language: status.language))
    case .heard(let stream, let frame, let at):
      port.send(HeardFrame(stream: stream, frame: Int(frame), at: at))
    case .starved(let stream): port.send(.starved, of: stream)
    case .fed(let stream): port.send(.fed, of: stream)
    case .dropped(let stream): port.send(.dropped, of: stream)
    }
  }

  // MARK: Calls of the app

  func setActive(_ isActive: Bool, at now: MonotonicInstant) -> DeactivationAnswer {
    session?.setActive(isActive) ?? .done
  }

  func publish(_ publication: SessionPublication, at now: MonotonicInstant) -> Refusal? {
    session?.publish(AppDescription(publication))
    return nil
  }

  func claim(_ reason: ClaimReason, at now: MonotonicInstant) -> PrimaryAnswer {
    session?.claim(isPerson: reason == .person) ?? .refused([])
  }

  func answer(_ number: Int, _ answer: CommandAnswer, at now: MonotonicInstant) -> Refusal? {
    session?.answer(number, answer) == true
      ? nil : Refusal(.failed, "no command with the number \(number) waits for an answer")
  }

  func setTemplate(
    _ template: PublishedTemplate, screen: Int, at now: MonotonicInstant
  ) -> Refusal? {
    session?.setTemplate(AppTemplate(template), screen: screen)
    return nil
  }

  func setButtonPicture(
    _ picture: ButtonPicture?, named name: String, at now: MonotonicInstant
  ) -> Refusal? {
    guard !name.hasPrefix(".") else {
      return Refusal(.invalidArguments, "the name of a picture does not begin with a dot")
    }
    return session?.setPicture(picture, named: name) != false
      ? nil : Refusal(.failed, "the template has too many pictures")
  }

  func giveArtwork(
    _ ticket: Int, _ picture: MetadataItem.DataType?, at now: MonotonicInstant
  ) -> Result<BusDescriptor?, Refusal> {
    guard let session, session.isPrimary else {
      return .failure(Refusal(.failed, "no request for a cover has the number \(ticket)"))
    }
    return covers.give(ticket, picture, of: session.name, at: now)
  }

  func openSound(
    _ format: SoundFormat, as stream: Int, at now: MonotonicInstant
  ) -> Result<(socket: BusDescriptor, format: SoundFormat), Refusal> {
    guard let session else { return .failure(Refusal(.sessionEnded, "the session has ended")) }
    do {
      let read = try AppStreamFormat(
        rate: format.rate, channels: format.channels, samples: format.samples.rawValue)
      let (unit, app) = try BusDescriptor.packetPair()
      player.openStream(stream, read, isLive: format.kind == .live, unit, in: session)
      return .success((socket: app, format: format))
    } catch {
      return .failure(Refusal(.failed, "\(error)"))
    }
  }

  func mark(_ mark: SoundMark, of stream: Int, at now: MonotonicInstant) -> Refusal? {
    guard let session else { return nil }
    do throws(FrameMarks<MediaContent?>.TooMany) {
      try player.mark(
        stream,
        FrameMark(
          frame: UInt64(clamping: mark.frame), content: mark.content, time: mark.time,
          rate: mark.rate, defaultRate: mark.defaultRate), of: session)
      return nil
    } catch {
      return Refusal(
        .tooManyCalls, "\(FrameMarks<MediaContent?>.most) marks are not heard yet",
        remedy: "wait for Heard")
    }
  }

  func flush(_ stream: Int, next frame: Int, at now: MonotonicInstant) -> Refusal? {
    guard let session else { return nil }
    do throws(FlushRefusal) {
      try player.flush(stream, next: UInt64(clamping: frame), of: session)
      return nil
    } catch {
      switch error {
      case .isPast(let next):
        return Refusal(
          .invalidArguments, "a later frame than \(frame) was heard or flushed already",
          remedy: "name the frame \(next) or a later one")
      case .tooLarge:
        return Refusal(.invalidArguments, "the number of the frame is too large")
      }
    }
  }

  func finish(_ stream: Int, at frame: Int, at now: MonotonicInstant) -> Refusal? {
    if let session { player.finish(stream, at: UInt64(clamping: frame), of: session) }
    return nil
  }

  func closeSound(_ stream: Int, at now: MonotonicInstant) {
    if let session { player.closeStream(stream, of: session) }
  }

  func end(_ ending: SessionEnding, at now: MonotonicInstant) {
    guard let session else { return }
    self.session = nil
    switch ending {
    case .closed(let notifyingOthers):
      log(.appClosed, "\(session.name) has ended its session", at: now)
      player.end(session, notifyingOthers: notifyingOthers)
    case .replaced: player.end(session, notifyingOthers: false)
    case .lost:
      log(.appLost, "the connection of \(session.name) has ended", at: now)
      player.lost(session)
    }
    turns.request()
  }
}

extension AppTemplate {
  init(_ template: PublishedTemplate) {
    self.init(
      buttons: template.buttons, upNext: template.upNext,
      isAlbumArtistEnabled: template.isAlbumArtistEnabled)
  }
}

extension AppDescription {
  init(_ publication: SessionPublication) {
    self.init()
    content = publication.content
    playback =
      switch publication.playback {
      case .snapshot(let snapshot): .snapshot(snapshot)
      case .streams(let state, let players, let leader):
        .streams(state, players: players, leader: leader)
      }
    commands = publication.commands
    upNext = publication.upNext
    publishesItself = publication.isSelfPublished
    obstacle =
      switch publication.condition {
      case .ready: nil
      case .waiting(let reason): Refusal(.sourceWaits, reason.sentence, remedy: reason.remedy)
      case .failed(let reason): Refusal(.sourceFailed, reason.sentence, remedy: reason.remedy)
      }
  }
}
