internal import EventLoop
internal import LibraryModel
internal import NowPlaying
internal import Reports

// Calls about the library and the places with music.
extension ControlServer {
  func library(_ call: MethodCall, _ client: ServedClient) throws {
    var arguments = call.arguments
    switch call.member {
    case "Subscribe", "GetRoot":
      if call.member == "Subscribe" { client.receivesLibrary = true }
      return call.reply([LibraryCoding.value(of: unit.library?.state ?? LibraryState())])
    case "Unsubscribe":
      client.receivesLibrary = false
      return call.reply()
    case "Play", "GetRecent", "GetQueue", "MoveQueueItem", "RemoveQueueItem", "ClearQueue",
      "UndoQueue":
      return try queue(call, client)
    case "GetLetters": return try letters(call)
    case let member where Self.playlistMethods.contains(member): return try playlists(call)
    default: break
    }
    let library = try requiredLibrary()
    switch call.member {
    case "GetPage":
      let request = try page(&arguments)
      library.page(request) { [weak library] result in
        Self.answer(call, result) { page in
          [
            .count(Int(library?.state.revision ?? 0)), .list(page.rows.map(LibraryCoding.value)),
            .string(page.next ?? ""), .string(page.previous ?? ""),
            .uint32(UInt32(clamping: page.count)), .uint32(UInt32(clamping: page.position)),
          ]
        }
      }
    case "GetItemArtwork": try itemArtwork(call, library)
    case "GetDoubts":
      library.doubts { result in Self.answer(call, result) { [LibraryCoding.value(of: $0)] } }
    case "FindSimilar":
      var request = SimilarRequest(try arguments.string())
      request.limit = min(max(try arguments.integer(), 1), 100)
      request.kind = try kind(try WireFields(try arguments.properties(), "options"))
      library.similar(request) { result in
        Self.answer(call, result) { [.list($0.rows.map(LibraryCoding.value))] }
      }
    default: try search(call, client, library)
    }
  }

  private func search(
    _ call: MethodCall, _ client: ServedClient, _ library: any ControlledLibrary
  ) throws {
    var arguments = call.arguments
    let query = try arguments.string()
    let number = try arguments.integer()
    var request = SearchRequest(query, limit: try arguments.integer())
    let options = try WireFields(try arguments.properties(), "options")
    request.isByKeys = try options.flag("isByKeys") ?? false
    request.kind = try kind(options)
    guard number != 0 else {
      return library.find(request) { Self.answer(call, $0, number: 0) }
    }
    client.searches.begin(
      SearchSequence.Search(call: call, number: number, request: request, library: library))
  }

  static func answer(
    _ call: MethodCall, _ result: Result<LibraryFindings, LibraryFailure>, number: Int
  ) {
    answer(call, result) { found in
      [
        .count(number), .list(found.rows.map(LibraryCoding.value)),
        .strings(found.more.map(\.rawValue).sorted()),
      ]
    }
  }

  private func letters(_ call: MethodCall) throws {
    var arguments = call.arguments
    let list = try arguments.string()
    let heading = try arguments.string()
    if list == ControlInterface.queueList {
      let count = unit.queue.report(first: 0, limit: 1).count
      return call.reply([
        LibraryCoding.value(
          of: RowRange.groups(ofRows: count, under: heading.isEmpty ? nil : heading))
      ])
    }
    try requiredLibrary().letters(
      of: try Self.node(list), under: heading.isEmpty ? nil : heading
    ) { result in
      Self.answer(call, result) { [LibraryCoding.value(of: $0)] }
    }
  }

  func sources(_ call: MethodCall, _ client: ServedClient) throws {
    var arguments = call.arguments
    switch call.member {
    case "GetSources", "Subscribe":
      if call.member == "Subscribe" { client.receivesSources = true }
      call.reply([LibraryCoding.value(ofSources: currentSources)])
    case "Unsubscribe":
      client.receivesSources = false
      call.reply()
    case "Choose":
      let source = try arguments.string()
      if let phones = unit.phones,
        phones.state.bondedPhones.contains(where: { $0.address == source })
      {
        phones.play(source, answer: answer(call))
        turns.request()
      } else {
        unit.queue.choose(source, completion: answer(call))
      }
    case "Rescan":
      try finish(call, try requiredLibrary().rescan(try arguments.string()))
    case "ReadAnew":
      try finish(call, try requiredLibrary().readAnew(try arguments.string()))
    default: try finish(call, try requiredLibrary().forget(try arguments.string()))
    }
  }

  /// The places with music, and the phones.
  var currentSources: [MusicSource] {
    (unit.library?.state.sources ?? []) + (unit.phones?.state.sources ?? [])
  }

  private func requiredLibrary() throws(Refusal) -> any ControlledLibrary {
    guard let library = unit.library else {
      throw Refusal(.off)
    }
    return library
  }

  private func page(_ arguments: inout BodyReader) throws -> PageRequest {
    var request = PageRequest(try Self.node(try arguments.string()))
    let cursor = try arguments.string()
    request.cursor = cursor.isEmpty ? nil : cursor
    request.limit = min(max(try arguments.integer(), 1), 100)
    request.heading = try WireFields(try arguments.properties(), "options").text("letter")
    return request
  }

  private static func node(_ name: String) throws(Refusal) -> LibraryNode {
    guard let node = LibraryNode(text: name) else {
      throw Refusal(.unknownNode)
    }
    return node
  }

  private func kind(_ options: WireFields) throws -> LibraryRow.Kind? {
    guard let word = try options.text("kind") else { return nil }
    guard let kind = LibraryRow.Kind(rawValue: word) else {
      throw WireError("options.kind", "unknown")
    }
    return kind
  }

  static func answer<Answer>(
    _ call: MethodCall, _ result: Result<Answer, LibraryFailure>,
    _ values: (Answer) -> [BusValue]
  ) {
    switch result {
    case .success(let answer): call.reply(values(answer))
    case .failure(let failure):
      call.fail(RefusalCoding.error(ControlError.refusedName, Refusal(failure)))
    }
  }
}
