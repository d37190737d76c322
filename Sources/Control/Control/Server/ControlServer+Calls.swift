internal import EventLoop
internal import NowPlaying
internal import Reports

// Handles the calls of clients.
extension ControlServer {
  func handle(_ call: MethodCall) {
    // The time of arrival, as exactly as the server can measure it.
    let now = clock()
    // The server first sends what has happened before the call. So a client that begins to follow with this call gets
    // only what happens after it.
    update()
    guard let client = client(of: call) else {
      return call.fail(BusErrorName.failed, "the connection has ended")
    }
    do {
      if let right = AccessRight.needed(call.interface, call.member) { try require(right, client) }
      switch call.interface {
      case ControlInterface.nowPlaying.name: try nowPlaying(call, client, now)
      case ControlInterface.commands.name: try commands(call, client, now)
      case ControlInterface.surface.name: try surface(call, client, now)
      case ControlInterface.library.name: try library(call, client)
      case ControlInterface.sources.name: try sources(call, client)
      case ControlInterface.bluetooth.name: try bluetooth(call, client)
      case ControlInterface.settings.name: try settings(call, client)
      default: try unit(call, client, now)
      }
    } catch let error as BusErrorReply {
      call.fail(error)
    } catch let refusal as Refusal {
      call.fail(RefusalCoding.error(ControlError.refusedName, refusal))
    } catch  where error is WireError || error is BusTypeError {
      call.fail(
        RefusalCoding.error(
          BusErrorName.invalidArguments, Refusal(.invalidArguments, "\(error)")))
    } catch {
      call.fail(RefusalCoding.error(BusErrorName.failed, Refusal(.failed, "\(error)")))
    }
  }

  /// Throws if the client does not have this right.
  func require(_ right: AccessRight, _ client: ServedClient) throws {
    guard !AccessRight.rights(of: client.role).contains(right) else { return }
    func may(_ role: AccessRole) -> Bool { AccessRight.rights(of: role).contains(right) }
    let users =
      may(.screen)
      ? "root, the user of the daemon and the users 'console' and 'screen'"
      : may(.console)
        ? "root, the user of the daemon and the user 'console'" : "root and the user of the daemon"
    throw RefusalCoding.error(
      BusErrorName.accessDenied, Refusal(.notAllowed, "only \(users) may do this"))
  }

  // MARK: NowPlaying1

  private func nowPlaying(_ call: MethodCall, _ client: ServedClient, _ now: MonotonicInstant)
    throws
  {
    switch call.member {
    case "Unsubscribe":
      client.receivesState = false
      call.reply()
    case "GetArtwork": try artwork(call, now)
    case "GetButtonPicture":
      var arguments = call.arguments
      let picture = unit.center.buttonPicture(named: try arguments.string())
      call.reply([.string(picture?.format.rawValue ?? ""), .bytes(picture?.bytes ?? [])])
    case "GetAlbum":
      let album = unit.album()
      call.reply([
        WireText.line(album?.title ?? ""), .list((album?.items ?? []).map(StateCoding.item)),
      ])
    default:
      if call.member == "Subscribe" { client.receivesState = true }
      call.reply([StateCoding.value(of: unit.center.state)])
    }
  }

  private func artwork(_ call: MethodCall, _ now: MonotonicInstant) throws {
    var arguments = call.arguments
    let content = try arguments.string()
    let (width, height) = (try arguments.integer(), try arguments.integer())
    let size = width == 0 || height == 0 ? .largest : ArtworkSize(width: width, height: height)
    // Identities are truncated and cleaned on the wire. So if the request names the current
    // content, the original identity of this content is used. Only the identity of the current
    // content needs this conversion.
    let current = unit.center.state.content?.id
    let id = current.map(WireText.identityText) == content ? current ?? content : content
    unit.center.artwork(for: id, size: size, at: now) { call.reply(AnswerCoding.values($0)) }
    turns.request()
  }

  // MARK: Commands1

  private func commands(_ call: MethodCall, _ client: ServedClient, _ now: MonotonicInstant)
    throws
  {
    var arguments = call.arguments
    if call.member == "PlayQueueItem" {
      return try playQueueItem(try arguments.string(), call, client, now)
    }
    guard call.member == "Send" else {
      let request = try ShortCommand.request(call.member, &arguments)
      try send(request, client, now) { call.answer($1) }
      return
    }
    let command = try arguments.string()
    let request = try RequestCoding.request(command, try arguments.properties())
    let options = try WireFields(try arguments.properties(), "options")
    try send(
      request, isRepeat: try options.flag("isRepeat") ?? false, from: try options.text("from"),
      client, now
    ) { number, answer in
      call.reply([.count(number)] + AnswerCoding.values(of: answer))
    }
  }

  func send(
    _ request: CommandRequest, isRepeat: Bool = false, from name: String? = nil,
    _ client: ServedClient, _ now: MonotonicInstant,
    _ answered: @escaping (Int, CommandAnswer) -> Void
  ) throws {
    let port = try port(of: client, from: name, at: now)
    if client.surface == nil { recordHeldKey(request, port, client) }
    // The answer may arrive before `send` has returned the number.
    var number: Int?
    var early: CommandAnswer?
    number = port.send(request, on: .socket, isRepeat: isRepeat, at: now) { answer in
      if let number { answered(number, answer) } else { early = answer }
    }
    if let early, let number { answered(number, early) }
    turns.request()
  }

  /// Stores which client of a shared surface holds down a seek key, so that the seek ends when the
  /// client disconnects.
  private func recordHeldKey(_ request: CommandRequest, _ port: SurfacePort, _ client: ServedClient)
  {
    switch request {
    case .media(.seekForward(.begin)): client.held = (.seekForward(.end), port)
    case .media(.seekBackward(.begin)): client.held = (.seekBackward(.end), port)
    case .media(.seekForward(.end)), .media(.seekBackward(.end)): client.held = nil
    default: break
    }
  }

  private func playQueueItem(
    _ wire: String, _ call: MethodCall, _ client: ServedClient, _ now: MonotonicInstant
  ) throws {
    func isRequested(_ item: UpNextItem) -> Bool { WireText.identityText(item.id) == wire }
    // The text on the wire may be a shorter form of the identity.
    let item =
      unit.center.state.upNext.first(where: isRequested)
      ?? unit.album()?.items.first(where: isRequested)
    try send(.media(.playQueueItem(item?.id ?? wire)), client, now) { call.answer($1) }
  }

  func finish(_ call: MethodCall, _ refusal: Refusal?) throws {
    turns.request()
    if let refusal { throw refusal }
    call.reply()
  }

  // MARK: Surface1

  private func surface(_ call: MethodCall, _ client: ServedClient, _ now: MonotonicInstant) throws {
    var arguments = call.arguments
    if call.member == "Register" {
      let name = try arguments.string()
      return try register(name, showsTemplate: try arguments.boolean(), call, client, now)
    }
    guard let port = client.surface else {
      throw Refusal(
        .notRegistered, "this client is not registered as a surface",
        remedy: "call 'Register' first")
    }
    switch call.member {
    case "Observed":
      let facts = AnswerCoding.restored(
        try AnswerCoding.displayedState(try arguments.properties()), from: unit.center.state)
      call.reply([.string(AnswerCoding.word(port.observed(facts, at: now)))])
    case "Unregister":
      client.surface = nil
      port.unregister(at: now)
      call.reply()
    case "CheckChannel":
      checkChannel(client, port, now)
      call.reply()
    default:
      let token = try arguments.integer()
      if call.member == "ConfirmShown" {
        port.channelShowed(token, at: now)
      } else {
        port.channelReturned(token, at: now)
      }
      call.reply()
    }
    turns.request()
  }

  private func register(
    _ name: String, showsTemplate: Bool, _ call: MethodCall, _ client: ServedClient,
    _ now: MonotonicInstant
  ) throws {
    let id = try surfaceID(name)
    // If another client is registered with this name, for example an earlier run of the same
    // program, the new registration replaces the earlier one. The other client stays connected, but
    // it is no longer a surface.
    let holder = clients.values.first { $0.surface?.id == id }
    if holder == nil { try requireFree(id, now) }
    if holder !== client { holder?.receivesState = true }
    client.surface?.disconnect(at: now)
    client.surface = nil
    holder?.surface = nil
    client.receivesState = false
    var isConnecting = true
    let port = unit.center.connect(
      SurfaceDescription(id: id, showsTemplate: showsTemplate), at: now
    ) { [weak client] state in
      if !isConnecting {
        client?.emit(.state, [StateCoding.value(of: state)])
      }
    }
    isConnecting = false
    client.surface = port
    if showsTemplate {
      let lists = TemplateLists()
      unit.center.add(lists)
      client.lists = lists
    }
    call.reply([StateCoding.value(of: unit.center.state)])
    checkChannel(client, port, now)
    turns.request()
  }

  /// Starts the loop-back test (C7). The surface returns the token on the path of commands. The
  /// surface also confirms the token when it has drawn its next picture.
  private func checkChannel(_ client: ServedClient, _ port: SurfacePort, _ now: MonotonicInstant) {
    let token = port.beginChannelCheck(at: now)
    client.emit(ControlInterface.surface, "ChannelToken", [.count(token)])
  }
}
