internal import Console
internal import Control
internal import LibraryModel
internal import NowPlaying
internal import Reports

// Commands for the library.
extension ControlBackend {
  /// If a list has more rows than this, the console shows the first letters of its rows as headings, and not the rows.
  private static let longList = 40
  private static let batchRows = 100
  private static let findRows = 10

  typealias Answer = (ConsoleReply) -> Void

  func perform(_ command: ConsoleCommand.Library, _ answer: @escaping Answer) {
    switch command {
    case .show:
      client.libraryState { result in answer(Self.reply(result) { .library($0) }) }
    case .check:
      client.call(Library1.getDoubts) { result in answer(Self.reply(result) { .doubts($0) }) }
    case .scan(let name):
      guard let name else { return send(answer) { self.client.call(Sources1.rescan, "", $0) } }
      withVolume(name, answer) { self.client.call(Sources1.rescan, $0, $1) }
    case .readAnew(let name):
      withVolume(name, answer) { self.client.call(Sources1.readAnew, $0, $1) }
    case .forget(let name): withVolume(name, answer) { self.client.call(Sources1.forget, $0, $1) }
    case .list(let node, let text, let isWhole):
      if isWhole {
        rows(RowsRequest(node, limit: Self.batchRows), title: nil, answer)
      } else if let text {
        entry(text, of: node, answer)
      } else {
        list(node, title: nil, answer)
      }
    case .folders(let path): folder(path, answer)
    case .play(let words, let mode): play(words, mode, answer)
    case .playEntry(let entry, let mode): play(entry, mode, answer)
    case .choose(let name): withVolume(name, answer) { self.client.call(Sources1.choose, $0, $1) }
    case .recent:
      client.call(Library1.getRecent, RecentReport.limit) { result in
        answer(Self.reply(result) { .recent($0) })
      }
    case .resume(let row): resume(row, answer)
    case .find(let words):
      client.call(Library1.search, NumberedSearch(SearchRequest(words))) { [weak self] result in
        guard let self, case .success(let found) = result.map(\.found), found.rows.isEmpty else {
          return answer(Self.reply(result) { .findings($0.found) })
        }
        nothing(words, answer) { .library(.find($0.title)) }
      }
    }
  }

  static func nothing(_ words: String) -> ConsoleReply {
    .refused(Refusal(.noSuchContent, "nothing was found for '\(words)'"))
  }

  /// Replies with a question that offers the entry with the most similar name, because no entry has the name `words`.
  /// - Parameter command: returns the command for the entry that the question offers.
  func nothing(
    _ words: String, kind: LibraryRow.Kind? = nil, _ answer: @escaping Answer,
    then command: @escaping @Sendable (LibraryRow) -> ConsoleCommand
  ) {
    client.call(Library1.findSimilar, SimilarRequest(words, kind: kind)) { result in
      // An older daemon does not have the method `FindSimilar`. Its error is handled like an answer without rows.
      guard case .success(let rows) = result, !rows.isEmpty else {
        return answer(Self.nothing(words))
      }
      answer(.question(EntryQuestion(words, .misspelt, rows), then: command))
    }
  }

  // MARK: Volumes

  func send(
    _ answer: @escaping Answer, _ call: (@escaping ControlClient.Completion<Void>) -> Void
  ) {
    call { result in answer(Self.reply(result) { .done() }) }
  }

  /// Calls `body` with the identity of the volume with this name. The identity itself, such as `app:radio`, is a name
  /// too.
  private func withVolume(
    _ name: String, _ answer: @escaping Answer,
    _ body: @escaping (String, @escaping ControlClient.Completion<Void>) -> Void
  ) {
    client.libraryState { [weak self] result in
      guard let self, case .success(let state) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      let exact = state.volumes.filter {
        $0.report.label.lowercased() == name.lowercased() || $0.report.identity == name
      }
      let begun = state.volumes.filter {
        $0.report.label.lowercased().hasPrefix(name.lowercased())
      }
      let found = exact.isEmpty ? begun : exact
      guard let volume = found.first, found.count == 1 else {
        let words = found.isEmpty ? "no source has the name" : "several sources begin with"
        return answer(
          .refused(
            Refusal(.noSuchSource, "\(words) '\(name)'", remedy: "'library' lists the sources")))
      }
      send(answer) { body(volume.report.identity, $0) }
    }
  }

  // MARK: Lists

  /// Shows all rows of a short list, or the headings (letters) of a long list.
  private func list(_ node: LibraryNode, title: String?, _ answer: @escaping Answer) {
    client.call(Library1.getRows, RowsRequest(node, limit: Self.longList)) { [weak self] result in
      guard let self, case .success(let batch) = result.map(\.batch) else {
        return answer(Self.reply(result) { _ in .done() })
      }
      if batch.count > Self.longList {
        letters(of: node, under: nil, title: title) { [weak self] reply in
          if let reply { return answer(reply) }
          self?.rows(RowsRequest(node, limit: Self.batchRows), title: title, answer)
        }
      } else {
        answer(
          .listing(LibraryListing(title: title, rows: batch.rows, of: node, count: batch.count)))
      }
    }
  }

  /// Passes the letters of a list to `answer`. Passes nil if the list has no letters, or if it is divided into ranges
  /// of rows. In these cases the console shows all rows.
  private func letters(
    of node: LibraryNode, under heading: String?, title: String?,
    _ answer: @escaping (ConsoleReply?) -> Void
  ) {
    client.call(Library1.getLetters, LettersRequest(.node(node), under: heading)) { result in
      if case .success(let groups) = result,
        groups.first.map({ ListHeading($0.heading).range != nil }) ?? true
      {
        return answer(nil)
      }
      answer(Self.reply(result) { .letters($0) })
    }
  }

  /// Reads all rows of a list, one batch after the other, and shows them.
  private func rows(
    _ request: RowsRequest, title: String?, _ answer: @escaping Answer,
    before: [LibraryRow] = []
  ) {
    client.call(Library1.getRows, request) { [weak self] result in
      guard let self, case .success(let batch) = result.map(\.batch) else {
        return answer(Self.reply(result) { _ in .done() })
      }
      let rows = before + batch.rows
      guard let next = batch.next, rows.count < Self.maximumRows else {
        return answer(
          .listing(
            LibraryListing(
              title: title, rows: rows, of: request.node, count: max(batch.count, rows.count))))
      }
      var following = request
      following.cursor = next
      self.rows(following, title: title, answer, before: rows)
    }
  }

  /// The maximum number of rows in a reply. A user does not read more rows on a console.
  private static let maximumRows = 5000

  // MARK: Entries

  /// Shows the rows under the heading `text`, such as `St`. If there are no such rows, shows the list of the entry with
  /// the name `text`.
  private func entry(_ text: String, of node: LibraryNode, _ answer: @escaping Answer) {
    let heading = Self.heading(text)
    guard let heading else { return named(text, in: node, answer) }
    client.call(Library1.getRows, RowsRequest(node, heading: heading, limit: Self.longList)) {
      [weak self] result in
      guard let self, case .success(let batch) = result.map(\.batch) else {
        return answer(Self.reply(result) { _ in .done() })
      }
      if batch.count == 0 { return named(text, in: node, answer) }
      guard batch.count > Self.longList else {
        return answer(
          .listing(
            LibraryListing(title: heading, rows: batch.rows, of: node, count: batch.count)))
      }
      letters(of: node, under: heading, title: nil) { [weak self] reply in
        if let reply { return answer(reply) }
        self?.rows(
          RowsRequest(node, heading: heading, limit: Self.batchRows), title: heading, answer)
      }
    }
  }

  /// Converts a text to a heading with a capital first letter: `St` for `st`. Nil if the text is longer than a heading.
  private static func heading(_ text: String) -> String? {
    guard text.unicodeScalars.count <= 3, let first = text.first else { return nil }
    return first.uppercased() + text.dropFirst().lowercased()
  }

  private func named(_ text: String, in node: LibraryNode, _ answer: @escaping Answer) {
    guard let kind = Self.kind(of: node) else {
      return entryByTitle(text, RowsRequest(node, limit: Self.batchRows), answer)
    }
    client.call(
      Library1.search, NumberedSearch(SearchRequest(text, kind: kind, limit: Self.findRows))
    ) { [weak self] result in
      guard let self, case .success(let found) = result.map(\.found) else {
        return answer(Self.reply(result) { _ in .done() })
      }
      let exact = found.rows.filter { $0.title.lowercased() == text.lowercased() }
      let rows = exact.isEmpty ? found.rows : exact
      if let row = rows.first, rows.count == 1, let node = row.node {
        return list(node, title: row.words, answer)
      }
      guard rows.isEmpty else { return answer(.findings(found)) }
      nothing(text, kind: kind, answer) { row in
        row.node.map { .library(.list($0, nil, isWhole: false)) }
          ?? .library(.list(node, row.title, isWhole: false))
      }
    }
  }

  /// The kind of the rows of a list, if a search can find rows of this kind. Otherwise nil.
  static func kind(of node: LibraryNode) -> LibraryRow.Kind? {
    switch node {
    case .artists: .artist
    case .albums, .recentAlbums: .album
    case .songs: .song
    case .playlists: .playlist
    case .genres, .volumes, .artist, .album, .genre, .playlist, .folder, .songsBelow, .own: nil
    }
  }

  /// Searches a list for a row with this title, one batch after the other. Passes nil if there is no such row.
  func row(
    titled text: String, _ request: RowsRequest,
    _ completion: @escaping (Result<LibraryRow?, ControlError>) -> Void
  ) {
    client.call(Library1.getRows, request) { [weak self] result in
      switch result.map(\.batch) {
      case .failure(let error): completion(.failure(error))
      case .success(let batch):
        if let row = batch.rows.first(where: { $0.title.lowercased() == text.lowercased() }) {
          return completion(.success(row))
        }
        guard let self, let next = batch.next else { return completion(.success(nil)) }
        var following = request
        following.cursor = next
        row(titled: text, following, completion)
      }
    }
  }

  private func entryByTitle(_ text: String, _ request: RowsRequest, _ answer: @escaping Answer) {
    row(titled: text, request) { [weak self] result in
      guard let self, case .success(let row) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      guard let row, let node = row.node else { return answer(Self.nothing(text)) }
      list(node, title: row.words, answer)
    }
  }

  // MARK: Folders

  private func folder(_ path: String?, _ answer: @escaping Answer) {
    let names = path?.split(separator: "/").map(String.init) ?? []
    folder(names[...], in: .volumes, title: nil, answer)
  }

  private func folder(
    _ names: ArraySlice<String>, in node: LibraryNode, title: String?, _ answer: @escaping Answer
  ) {
    guard let name = names.first else {
      return rows(RowsRequest(node, limit: Self.batchRows), title: title, answer)
    }
    row(titled: name, RowsRequest(node, limit: Self.batchRows)) { [weak self] result in
      guard let self, case .success(let row) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      guard let row, let node = row.node else { return answer(Self.nothing(name)) }
      folder(names.dropFirst(), in: node, title: (title ?? "") + row.title + "/", answer)
    }
  }
}
