internal import Console
internal import Control
internal import LibraryModel
internal import NowPlaying
internal import Reports

// Commands for the playlists of the unit.
extension ControlBackend {
  func perform(_ command: ConsoleCommand.Playlist, _ answer: @escaping Answer) {
    switch command {
    case .add(nil, let list, let again):
      send(answer) { [client] in
        client.call(Library1.addToPlaylist, PlaylistAddition(list, again: again), $0)
      }
    case .add(let words?, let list, let again):
      if let node = LibraryNode(text: words) {
        return send(answer) { [client] in
          client.call(
            Library1.addToPlaylist, PlaylistAddition(list, .node(node), again: again), $0)
        }
      }
      withBestHit(words, answer) {
        .playlist(.addEntry(ConsoleCommand.Entry($0), to: list, again: again))
      }
    case .addEntry(let entry, let list, let again):
      client.call(
        Library1.addToPlaylist,
        PlaylistAddition(list, .words(entry.title), row: entry.row, again: again)
      ) { result in
        answer(Self.reply(result) { .done(ConsoleMessage("playlist-added", entry.words)) })
      }
    case .remove(let number, let list): remove(number, from: list, answer)
    case .rename(let list, let name):
      send(answer) { [client] in
        client.call(Library1.renamePlaylist, Renaming(list, to: name), $0)
      }
    case .delete(let list):
      send(answer) { [client] in client.call(Library1.deletePlaylist, list, $0) }
    }
  }

  private func remove(_ number: Int, from name: String, _ answer: @escaping Answer) {
    ownList(name, answer) { [weak self] list in
      self?.song(number, of: RowsRequest(list, limit: 100), answer) { row in
        self?.send(answer) {
          self?.client.call(Library1.removeFromPlaylist, PlaylistRemoval(name, row), $0)
        }
      }
    }
  }

  /// Calls `body` with the playlist of the unit with this name.
  private func ownList(
    _ name: String, _ answer: @escaping Answer, _ body: @escaping (LibraryNode) -> Void
  ) {
    // The playlists of the unit are the first rows of the list of all playlists: the favourites, and at most 200 other
    // playlists.
    func look(_ cursor: String?) {
      client.call(Library1.getRows, RowsRequest(.playlists, cursor: cursor, limit: 100)) { result in
        guard case .success(let batch) = result.map(\.batch) else {
          return answer(Self.reply(result) { _ in .done() })
        }
        var isOwn = true
        for row in batch.rows {
          guard case .own? = row.node, let node = row.node else {
            isOwn = false
            break
          }
          if row.title.lowercased() == name.lowercased() { return body(node) }
        }
        if isOwn, let next = batch.next { return look(next) }
        answer(
          .refused(Refusal(.noSuchPlaylist, "the unit has no playlist '\(name)'")))
      }
    }
    look(nil)
  }

  /// Calls `body` with the song that has this number in the list. Numbers are counted from 1.
  private func song(
    _ number: Int, of request: RowsRequest, _ answer: @escaping Answer,
    _ body: @escaping (RowReference) -> Void
  ) {
    client.call(Library1.getRows, request) { [weak self] result in
      guard let self, case .success(let batch) = result.map(\.batch) else {
        return answer(Self.reply(result) { _ in .done() })
      }
      let index = number - 1 - batch.position
      if batch.rows.indices.contains(index) {
        let row = batch.rows[index]
        return body(RowReference(kind: row.kind, id: row.id))
      }
      guard let next = batch.next else {
        let songs = "\(batch.count) song\(batch.count == 1 ? "" : "s")"
        return answer(
          .refused(
            Refusal(.noSuchItem, "the playlist has \(songs); there is no song \(number)")))
      }
      var following = request
      following.cursor = next
      song(number, of: following, answer, body)
    }
  }
}
