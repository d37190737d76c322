internal import BusMethods
internal import EventLoop
internal import NowPlaying
internal import Reports

// Handles the calls of clients.
extension ControlServer {
  /// The handlers of all methods, by subject.
  static func makeHandlers() -> ControlHandlers {
    var handlers = ControlHandlers()
    addNowPlaying(to: &handlers)
    addCommands(to: &handlers)
    addSurfaces(to: &handlers)
    addLibrary(to: &handlers)
    addQueue(to: &handlers)
    addPlaylists(to: &handlers)
    addVolumes(to: &handlers)
    addPhones(to: &handlers)
    addSettings(to: &handlers)
    addUnit(to: &handlers)
    addHolds(to: &handlers)
    return handlers
  }

  func handle(_ call: MethodCall) {
    let now = clock()
    // The server first sends what has happened before the call. So a client that begins to follow with this call gets
    // only what happens after it.
    update()
    guard let client = call.bus.flatMap({ clients[ObjectIdentifier($0)] }),
      let row = rows["\(call.interface).\(call.member)"]
    else {
      return call.fail(BusErrorName.failed, "the connection has ended")
    }
    do {
      try row.right.require(client.role)
      try handlers.methods.handle(
        call, self, ControlCaller(client: client, row: row, now: now, turns: turns))
      if !row.right.onlyReads { turns.request() }
    } catch let error as BusErrorReply {
      call.fail(error)
    } catch let refusal as Refusal {
      call.fail(RefusalCoding.error(ControlError.refusedName, refusal))
    } catch let error as WireError {
      call.fail(
        RefusalCoding.error(
          BusErrorName.invalidArguments, Refusal(.invalidArguments, "\(error)")))
    } catch {
      call.fail(RefusalCoding.error(BusErrorName.failed, Refusal(.failed, "\(error)")))
    }
  }
}
