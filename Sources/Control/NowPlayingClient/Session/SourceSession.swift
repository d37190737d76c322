internal import Control
internal import Reports

/// The part that ``MediaSession`` and ``NowPlayingSession`` have in common: a session on the unit, with its streams,
/// commands and instructions.
///
/// The session ends when its last reference is released. If closures of the program refer to the object that has the
/// session, the reference must be weak.
public class SourceSession {
  /// Whether the app can play. The unit shows the reason to the driver.
  public enum Condition: Equatable, Sendable {
    case ready
    /// The app waits, for example for a network. A sentence says why; the remedy says what the driver can do.
    case waiting(String, remedy: String? = nil)
    /// The app cannot play. A sentence says why; the remedy says what the driver can do.
    case failed(String, remedy: String? = nil)
  }

  /// The session on the unit.
  private enum Link {
    case closed
    case opening
    case open(Int)
    /// The unit has refused the session. It is opened again with the next connection.
    case refused
    /// The program has ended the session.
    case ended
  }

  /// What must be sent.
  private struct Changes: OptionSet {
    let rawValue: Int
    static let active = Changes(rawValue: 1)
    static let template = Changes(rawValue: 2)
    static let publication = Changes(rawValue: 4)
  }

  /// The identity on the unit: that of the application, or this identity, a dot and a name.
  public let id: String
  /// The application that the session belongs to.
  public let application: Application
  /// The streams that the unit plays, one after the other. Without streams, the session publishes the position itself.
  public private(set) var players: [StreamPlayer] = []
  /// What the unit has reported about the session.
  public private(set) var status = SessionStatus()
  /// Called when ``status`` has changed.
  public var onStatus: ((SessionStatus) -> Void)?
  /// Called when the session was opened, also after a restart of the unit. If `hasPlayed` is true, the session played
  /// when it ended, so the app plays again.
  public var onOpen: ((SessionWelcome) -> Void)?
  /// Called with each instruction of the unit. By default, *pause* pauses the players, and *resume* lets those players
  /// play that were paused in this way. The unit silences the streams itself, so an app that plays no other sound need
  /// do no more.
  public lazy var onInstruction: (AppInstruction) -> Void = { [weak self] in self?.obey($0) }
  /// The items that play next.
  public var upNext: [UpNextItem] = [] { didSet { setNeedsPublishing() } }
  /// Whether the app can play.
  public var condition = Condition.ready { didSet { setNeedsPublishing() } }
  /// True if the app has a surface of its own that shows this content too.
  public var isSelfPublished = false { didSet { setNeedsPublishing() } }

  private var link = Link.closed
  private var changes: Changes = []
  private var changedPictures: Set<String> = []
  /// The number of the screen that has connected, and whose template was not sent yet.
  private var screen = 0
  private var claims: [(reason: ClaimReason, completion: (PrimaryAnswer) -> Void)] = []
  private var transfers: [ArtworkTransfer] = []
  private var wasPausedByUnit = false

  /// - Parameter name: the name within the application. Nil for the only or first session.
  init(_ application: Application, name: String?, players: [StreamPlayer]) {
    self.application = application
    id = name.map { "\(application.id).\($0)" } ?? application.id
    application.add(self)
    for player in players { addPlayer(player) }
  }

  deinit {
    for player in players {
      player.close()
      player.detach()
    }
    if case .open(let number) = link {
      application.call(Session1.close, Numbered(number, true))
    }
  }

  /// Ends the session. Sessions that were silenced because of it can resume. It cannot be opened again.
  public func end() {
    if case .open(let number) = link {
      application.call(Session1.close, Numbered(number, true))
    }
    link = .ended
    for player in players { player.close() }
    failClaims()
  }

  /// The number of the session on the unit. Nil while it is not open.
  var number: Int? {
    if case .open(let number) = link { number } else { nil }
  }

  /// True while the session exists on the unit.
  public var isOpen: Bool { number != nil }

  // MARK: What the kinds of sessions add

  /// The present content.
  var publishedContent: MediaContent? { nil }
  /// The present position, for a session without players.
  var publishedSnapshot: MediaPlaybackSnapshot? { nil }
  /// The present commands.
  var publishedCommands: [MediaCommand] { [] }

  // MARK: Players

  /// Adds a player. At most four are used.
  public func addPlayer(_ player: StreamPlayer) {
    precondition(player.session == nil, "a player belongs to one session")
    players.append(player)
    player.attach(self)
    if let number { player.open(in: number) }
    setNeedsPublishing()
  }

  /// Removes a player. Its stream ends.
  public func removePlayer(_ player: StreamPlayer) {
    players.removeAll { $0 === player }
    player.close()
    player.detach()
    setNeedsPublishing()
  }

  /// The player that surfaces show. The default is the first one.
  public var leader: StreamPlayer? {
    get { chosenLeader ?? players.first }
    set {
      chosenLeader = newValue
      setNeedsPublishing()
    }
  }

  private weak var chosenLeader: StreamPlayer?

  // MARK: Opening

  func connected() {
    guard case .closed = link, application.isConnected else { return }
    link = .opening
    // The session is opened with the present template.
    changes.remove(.template)
    var opening = SessionOpening(id)
    opening.name = application.name
    opening.audio = application.audioSession.sharedOptions
    opening.isSpoken = application.audioSession.mode == .spokenAudio
    opening.resumes = application.resumes
    opening.template = application.template.published
    application.call(
      Session1.open, opening, again: { [weak self] in self?.link = .closed },
      failed: { [weak self] _ in self?.refused() }, done: { [weak self] in self?.opened($0) })
  }

  private func opened(_ opened: Numbered<SessionWelcome>) {
    guard case .opening = link else {
      // The program has ended the session in the meantime.
      return application.call(Session1.close, Numbered(opened.number, true))
    }
    link = .open(opened.number)
    changes.insert(.publication)
    if application.audioSession.isActive { changes.insert(.active) }
    changedPictures.formUnion(application.template.pictures.keys)
    onOpen?(opened.value)
    for player in players { player.open(in: opened.number) }
    sendChanges()
  }

  private func refused() {
    link = .refused
    failClaims()
  }

  func disconnected() {
    switch link {
    case .opening, .open, .refused: link = .closed
    case .closed, .ended: break
    }
    screen = 0
    transfers = []
    for player in players { player.close() }
    if status != SessionStatus(language: status.language) {
      statusChanged(SessionStatus(language: status.language))
    }
  }

  private func failClaims() {
    let waiting = claims
    claims = []
    for claim in waiting { claim.completion(.refused([])) }
  }

  // MARK: Publishing

  /// Publishes after the present handler. Several changes are published together.
  func setNeedsPublishing() { note(.publication) }

  func activeChanged() { note(.active) }

  func templateChanged() { note(.template) }

  func pictureChanged(_ name: String) {
    changedPictures.insert(name)
    application.setNeedsSending()
  }

  private func note(_ change: Changes) {
    changes.insert(change)
    application.setNeedsSending()
  }

  func sendChanges() {
    if case .closed = link { connected() }
    guard case .open(let number) = link else { return }
    if changes.contains(.active), application.takeCall() {
      changes.remove(.active)
      application.call(
        Session1.setActive, Numbered(number, application.audioSession.isActive),
        again: { [weak self] in self?.changes.insert(.active) },
        done: { [weak self] in if $0 == .stillPlaying { self?.reportStillPlaying() } })
    }
    sendTemplate(number)
    for player in players { player.sendChanges() }
    if changes.contains(.publication), !players.contains(where: \.isOpening),
      application.takeCall()
    {
      changes.remove(.publication)
      application.call(
        Session1.publish, Numbered(number, publication),
        again: { [weak self] in self?.changes.insert(.publication) })
    }
    while let claim = claims.first, changes.isEmpty, application.takeCall() {
      claims.removeFirst()
      application.call(
        Session1.claim, Numbered(number, claim.reason),
        again: { [weak self] in self?.claims.insert(claim, at: 0) },
        failed: { _ in claim.completion(.refused([])) }, done: claim.completion)
    }
  }

  private func sendTemplate(_ number: Int) {
    for name in changedPictures.sorted() where application.takeCall() {
      changedPictures.remove(name)
      let picture = application.template.pictures[name]
      application.call(
        Session1.setButtonPicture, Numbered(number, NamedPicture(name, picture)),
        again: { [weak self] in self?.changedPictures.insert(name) })
    }
    guard changes.contains(.template), application.takeCall() else { return }
    changes.remove(.template)
    let screen = screen
    self.screen = 0
    let template = Numbered(screen, application.template.published)
    application.call(
      Session1.setTemplate, Numbered(number, template),
      again: { [weak self] in
        self?.screen = screen
        self?.changes.insert(.template)
      })
  }

  private func reportStillPlaying() {
    application.onProblem(
      Refusal(.failed, "the audio session cannot be deactivated while the app plays"))
  }

  private var publication: SessionPublication {
    var publication = SessionPublication()
    publication.content = publishedContent
    let streams = players.filter { $0.number != nil }.prefix(SessionPublication.maximumPlayers)
    if let leader = streams.first(where: { $0 === self.leader }) ?? streams.first {
      publication.playback = .streams(
        leader.state, players: streams.compactMap(\.number), leader: leader.number ?? 0)
    } else if players.isEmpty {
      publication.playback = .snapshot(publishedSnapshot)
    }
    publication.commands = publishedCommands.map(\.offer)
    publication.upNext = upNext
    publication.isSelfPublished = isSelfPublished
    switch condition {
    case .ready: break
    case .waiting(let words, let remedy):
      publication.condition = .waiting(.init(words, remedy: remedy))
    case .failed(let words, let remedy):
      publication.condition = .failed(.init(words, remedy: remedy))
    }
    return publication
  }

  // MARK: Becoming Now Playing

  /// Requests to become Now Playing without starting playback.
  /// - Parameters:
  ///   - reason: `person` if a person has requested it in another way than with a command of the unit.
  ///   - completion: called with the answer, when the session is open. It is not called if the unit is away.
  public func claim(
    _ reason: ClaimReason, _ completion: @escaping (PrimaryAnswer) -> Void = { _ in }
  ) {
    switch link {
    case .refused, .ended: return completion(.refused([]))
    case .closed, .opening, .open: break
    }
    claims.append((reason, completion))
    application.setNeedsSending()
  }

  // MARK: Commands

  func perform(_ command: Numbered<CommandRequest?>) {
    guard let session = number else { return }
    func answer(_ answer: CommandAnswer) {
      // An answer that the unit no longer expects is no problem of the app.
      application.client.call(
        Session1.answer, Numbered(session, Numbered(command.number, answer))
      ) { _ in }
    }
    let reply = CommandReply(
      onAnswer: { given, _ in answer(given) }, onHeard: { _, _ in },
      onDefer: { _ in answer(.success) })
    switch command.value {
    case .media(let request):
      let known = publishedCommands.first { $0.offer.kind == request.kind }
      guard let known, known.offer.isEnabled else {
        return reply(
          .failed(Refusal(.notOffered, "the app does not offer \(request.kind.rawValue) now")))
      }
      known.perform(request, reply)
    case .template(let request): application.template.perform(request, reply, in: self)
    case .volume, .list, nil:
      reply(.failed(Refusal(.notOffered, "the app does not know this command")))
    }
  }

  // MARK: What the unit reports

  func statusChanged(_ new: SessionStatus) {
    guard new != status else { return }
    status = new
    onStatus?(new)
  }

  func screenConnected(_ connected: ConnectedScreen) {
    screen = connected.number
    application.templateSceneDelegate?.templateScene(didConnect: connected)
    note(.template)
  }

  func follow(_ instruction: AppInstruction) {
    application.audioSession.note(instruction)
    onInstruction(instruction)
  }

  private func obey(_ instruction: AppInstruction) {
    switch instruction {
    case .pause(let hold):
      guard let leader, leader.isPlaying else { return }
      wasPausedByUnit = true
      if case .interruption = hold { leader.state = .interrupted } else { leader.state = .paused }
    case .resume:
      if wasPausedByUnit { leader?.play() }
      wasPausedByUnit = false
    case .duck, .unduck: break
    }
  }

  // MARK: Covers

  /// The number of covers that are being delivered.
  var transferCount: Int { transfers.count }

  func artworkWanted(_ wanted: WantedArtwork) {
    let contents = [publishedContent] + players.map { $0.content(of: wanted.content) }
    let artwork = contents.lazy.compactMap { $0?.artwork }.first { $0.id == wanted.artwork }
    let size =
      wanted.width > 0 ? ArtworkSize(width: wanted.width, height: wanted.height) : .largest
    let request = ArtworkRequest(
      ticket: wanted.ticket, contentID: wanted.content, artworkID: wanted.artwork, size: size)
    switch artwork?.answer(to: request) {
    case .picture(let picture)?: artworkArrived(wanted.ticket, picture)
    case .later?: break
    case nil: artworkArrived(wanted.ticket, nil)
    }
  }

  /// Delivers a cover after its provider has answered `later`.
  /// - Parameters:
  ///   - ticket: the number of the request.
  ///   - picture: nil if there is no picture.
  public func artworkArrived(_ ticket: Int, _ picture: ArtworkPicture?) {
    guard let number else { return }
    let bytes: [UInt8]?
    let type: MetadataItem.DataType
    do throws(Refusal) {
      bytes = try picture?.read()
      type = try bytes.map { bytes throws(Refusal) in try ArtworkPicture.type(of: bytes) } ?? .jpeg
    } catch {
      application.call(Session1.giveNoArtwork, Numbered(number, ticket))
      return application.onProblem(error)
    }
    guard let bytes else {
      return application.call(Session1.giveNoArtwork, Numbered(number, ticket))
    }
    application.call(
      Session1.giveArtwork, Numbered(number, GivenArtwork(ticket, type)),
      done: { [weak self] pipe in
        guard let self, let transfer = ArtworkTransfer(application.loop, pipe, bytes) else {
          return
        }
        transfers.append(transfer)
        transfer.onEnd = { [weak self, weak transfer] in
          self?.transfers.removeAll { $0 === transfer }
        }
      })
  }
}
