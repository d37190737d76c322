internal import BusMethods
internal import EventLoop
internal import LibraryModel
internal import NowPlaying
internal import Reports

// The library and the volumes.
extension ControlServer {
  static func addLibrary(to handlers: inout ControlHandlers) {
    handlers.follow(Library1.state) { $0.unit.library?.state ?? LibraryState() }
    handlers.on(Library1.getRows) { try $0.getRows($1) }
    handlers.on(Library1.getLetters) { try $0.getLetters($1) }
    handlers.on(Library1.search) { try $0.search($1) }
    handlers.on(Library1.findSimilar) { server, call in
      try server.library().similar(call.arguments) { call.finish($0) { $0.rows } }
    }
    handlers.on(Library1.getItemArtwork) { server, call in
      try server.library().thumbnail(of: call.arguments) { call.finish($0) }
    }
    handlers.on(Library1.getDoubts) { server, call in
      try server.library().doubts { call.finish($0) }
    }
  }

  private func getRows(_ call: ServedCall<RowsRequest, RowsAnswer>) throws {
    let library = try library()
    library.rows(call.arguments) { [weak library] result in
      let revision = Int(library?.state.revision ?? 0)
      call.finish(result) { RowsAnswer(revision: revision, batch: $0) }
    }
  }

  private func getLetters(_ call: ServedCall<LettersRequest, [LetterGroup]>) throws {
    let heading = call.arguments.heading
    switch call.arguments.list {
    case .queue:
      let count = unit.queue.report(first: 0, limit: 1).count
      call.reply(RowRange.groups(ofRows: count, under: heading))
    case .node(let node):
      try library().letters(of: node, under: heading) { call.finish($0) }
    }
  }

  private func search(_ call: ServedCall<NumberedSearch, SearchAnswer>) throws {
    let library = try library()
    if call.arguments.number != 0 {
      call.caller.client.searches.begin(call, in: library)
    } else {
      library.find(call.arguments.request) { call.finish($0) { SearchAnswer(found: $0) } }
    }
  }

  func library() throws(Refusal) -> any ControlledLibrary {
    if let library = unit.library { return library }
    throw Refusal(LibraryFailure.off)
  }

  // MARK: Volumes

  static func addVolumes(to handlers: inout ControlHandlers) {
    handlers.follow(Sources1.sources, \.currentVolumes)
    handlers.on(Sources1.choose) { try $0.choose($1) }
    handlers.on(Sources1.rescan) { server, call in
      call.finish(try server.library().rescan(call.arguments))
    }
    handlers.on(Sources1.readAnew) { server, call in
      call.finish(try server.library().readAnew(call.arguments))
    }
    handlers.on(Sources1.forget) { server, call in
      call.finish(try server.library().forget(call.arguments))
    }
  }

  private func choose(_ call: ServedCall<String, Void>) throws {
    let identity = call.arguments
    if let phones = unit.phones,
      phones.state.bondedPhones.contains(where: { $0.address == identity })
    {
      phones.play(identity) { call.finish($0) }
    } else if let apps = unit.apps,
      let app = currentApps.first(where: { $0.report.identity == identity })
    {
      let id = String(identity.dropFirst(VolumeState.identity(ofApp: "").count))
      switch apps.choose(id, at: call.caller.now) {
      case .absent:
        call.refuse(
          Refusal(
            .sourceAbsent, "the program of '\(app.report.label)' does not run",
            remedy: "start the program"))
      case .told: call.reply()
      case .isPrimary:
        try send(SentCommand(.media(.play)), call.caller) { call.finish($1.refusal) }
      }
    } else {
      try perform(.playSource(identity), call)
    }
  }

  /// The volumes, the phones and the apps.
  var currentVolumes: [VolumeState] {
    (unit.library?.state.volumes ?? []) + (unit.phones?.state.volumes ?? []) + currentApps
  }

  /// The apps that run, and those of the files of the apps that do not run.
  private var currentApps: [VolumeState] {
    let open = unit.apps?.volumes ?? []
    let others = access.apps.filter { app in
      let identity = VolumeState.identity(ofApp: app.id)
      return !open.contains {
        $0.report.identity == identity || $0.report.identity.hasPrefix("\(identity).")
      }
    }
    return open
      + others.map { VolumeState(app: $0.id, name: $0.name ?? $0.id, isOpen: false, obstacle: nil) }
  }
}

// The queue.
extension ControlServer {
  static func addQueue(to handlers: inout ControlHandlers) {
    handlers.on(Library1.play) { server, call in
      let request = call.arguments
      try server.perform(
        .play(
          list: request.list.text, row: request.row?.identifier, mode: request.mode.rawValue), call)
    }
    handlers.on(Library1.getRecent) { server, call in
      call.reply(Array(server.unit.queue.recent.prefix(call.arguments)))
    }
    handlers.on(Library1.getQueue) { server, call in
      call.reply(
        server.unit.queue.report(first: call.arguments.first, limit: call.arguments.limit))
    }
    func edit<Value>(
      _ method: ControlMethod<Value, Void>, _ request: @escaping (Value) -> MediaRequest
    ) {
      handlers.on(method) { server, call in
        try server.send(SentCommand(.media(request(call.arguments))), call.caller) {
          call.finish($1.refusal)
        }
      }
    }
    edit(Library1.moveQueueItem) {
      .moveQueueItem($0.item, before: $0.before, revision: $0.revision)
    }
    edit(Library1.removeQueueItem) { .removeQueueItem($0.item, revision: $0.revision) }
    edit(Library1.clearQueue) { .clearQueue(revision: $0) }
    edit(Library1.undoQueue) { .undoQueue(revision: $0) }
  }

  /// Sends a request for a list to the source that owns this list.
  func perform<Arguments>(_ request: ListRequest, _ call: ServedCall<Arguments, Void>) throws {
    try send(SentCommand(.list(request)), call.caller) { call.finish($1.refusal) }
  }
}

// The playlists of the unit.
extension ControlServer {
  static func addPlaylists(to handlers: inout ControlHandlers) {
    handlers.on(Library1.savePlaylist) { server, call in
      server.unit.playlists.saveQueue(as: call.arguments) { call.finish($0) }
    }
    handlers.on(Library1.addToPlaylist) { server, call in
      let addition = call.arguments
      server.unit.playlists.add(
        addition.list, row: addition.row, to: addition.name, again: addition.again
      ) { call.finish($0) }
    }
    handlers.on(Library1.removeFromPlaylist) { server, call in
      server.unit.playlists.remove(call.arguments.row, from: call.arguments.name) {
        call.finish($0)
      }
    }
    handlers.on(Library1.renamePlaylist) { server, call in
      server.unit.playlists.rename(call.arguments.subject, to: call.arguments.name) {
        call.finish($0)
      }
    }
    handlers.on(Library1.deletePlaylist) { server, call in
      server.unit.playlists.delete(call.arguments) { call.finish($0) }
    }
  }
}
