internal import LibraryModel
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import UnitState

// The lists and their songs as rows, and as songs for the queue.
extension UnitPlaylists {
  /// The rows of all lists, in order.
  var rows: [OwnListRow] {
    let volumes = mounted.present
    return lists.map { key, summary in
      var row = LibraryRow(
        kind: .playlist, id: -summary.name.identity, title: summary.name.text)
      row.count = summary.count ?? 0
      // The songs of other programs have no volume, and may be anywhere.
      row.isAbsent =
        !summary.volumes.isEmpty
        && !summary.volumes.contains { $0.isEmpty || volumes.volume($0).path != nil }
      return (key, row)
    }
  }

  /// A batch of the songs of a list.
  func songs(
    _ id: Int64, _ request: RowsRequest,
    completion: @escaping (Result<RowBatch, LibraryFailure>) -> Void
  ) {
    let heading = request.heading.map { ListHeading($0) }
    guard heading?.letters == nil else { return completion(.success(RowBatch())) }
    read { store throws(PlaylistFailure) in
      let list = try store.read(identity: id).list
      return OwnSongBatch(
        list, cursor: request.cursor, limit: request.limit, range: heading?.range)
    } completion: { [weak self] result in
      completion(
        result.mapError { LibraryFailure($0) }.map { batch in
          batch.rows(self?.mounted.present ?? PresentVolumes())
        })
    }
  }

  /// The songs of a list, for the queue.
  /// - Parameters:
  ///   - isAlone: true for the chosen song alone.
  ///   - receive: see ``UnitLists/songs(_:row:isAlone:seed:receive:completion:)``.
  func songs(
    _ id: Int64, chosen: RowReference?, isAlone: Bool,
    receive: @escaping UnitLibrary.ReceiveSongs, completion: @escaping (UnitLibrary.Songs) -> Void
  ) {
    read { store throws(PlaylistFailure) in
      let (name, list) = try store.read(identity: id)
      var batch = TrackBatch(.node(.own(id)))
      batch.title = name.text
      let index = chosen.flatMap { chosen in list.identities.firstIndex { $0 == chosen.id } }
      guard chosen == nil || index != nil else { throw PlaylistFailure.unknownEntry }
      batch.chosen = isAlone ? 0 : index ?? 0
      if let index {
        batch.startMilliseconds = Int64((list.entries[index].bookmark ?? .zero).milliseconds)
      }
      let entries =
        if isAlone, let index { list.entries[index...index] } else { list.entries[...] }
      return (batch, Array(entries))
    } completion: { [weak self] result in
      completion(
        result.mapError { LibraryFailure($0) }.map { batch, entries in
          let volumes = self?.mounted.present ?? PresentVolumes()
          var batch = batch
          batch.count = entries.count
          batch.tracks = entries.map { $0.located(volumes).track }
          receive(batch, true)
          batch.tracks = []
          return batch
        })
    }
  }
}

extension LibraryFailure {
  /// Why a playlist of the unit cannot be read.
  init(_ refusal: Refusal) {
    self =
      switch refusal.code {
      case .noSuchPlaylist, .noSuchItem: .unknownNode
      case .tooManyCalls: .busy
      default: .failed(refusal.sentence)
      }
  }
}
