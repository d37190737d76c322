internal import Control
internal import LibraryModel
internal import NameKeys
internal import NowPlaying
internal import Reports
internal import Text
internal import UnitState

/// All lists of the unit: the lists of the library, and the playlists that the unit stores. The playlists of the unit
/// work without the library.
///
/// Used on the control thread; no call blocks.
final class UnitLists {
  let playlists: UnitPlaylists
  let current = CurrentRows()
  let library: UnitLibrary

  init(_ playlists: UnitPlaylists, _ library: UnitLibrary) {
    self.playlists = playlists
    self.library = library
  }

  /// Reads the songs of a list, in the order in which they play.
  ///
  /// - Parameters:
  ///   - row: the chosen row. Nil for the whole list.
  ///   - isAlone: true to read only the chosen song.
  ///   - seed: see ``TracksRequest/seed``.
  ///   - receive: called with each part of the songs when it arrives.
  ///   - completion: called after the last part, with a batch that describes the list and contains no songs.
  func songs(
    _ list: TrackList, row: RowReference?, isAlone: Bool, seed: UInt64 = 0,
    receive: @escaping UnitLibrary.ReceiveSongs, completion: @escaping (UnitLibrary.Songs) -> Void
  ) {
    if case .own(let id)? = row?.node {
      return playlists.songs(
        id, chosen: nil, isAlone: false, receive: receive, completion: completion)
    }
    if case .node(.own(let id)) = list {
      return playlists.songs(
        id, chosen: row, isAlone: isAlone, receive: receive, completion: completion)
    }
    if let absence = library.absence { return completion(.failure(absence)) }
    library.songs(
      TracksRequest(isAlone ? .rowAlone : list, row: row, seed: seed), receive: receive,
      completion: completion)
  }
}

extension UnitLists: ControlledLibrary {
  var state: LibraryState {
    var state = library.state
    state.revision += Int64(playlists.revision)
    return state
  }

  func rows(
    _ request: RowsRequest, completion: @escaping (Result<RowBatch, LibraryFailure>) -> Void
  ) {
    unmarkedRows(request) { [current] result in
      completion(
        result.map { batch in
          var batch = batch
          batch.rows = current.marked(batch.rows)
          return batch
        })
    }
  }

  private func unmarkedRows(
    _ request: RowsRequest, completion: @escaping (Result<RowBatch, LibraryFailure>) -> Void
  ) {
    if case .own(let id) = request.node {
      return playlists.songs(id, request, completion: completion)
    }
    guard request.node == .playlists else { return libraryRows(request, completion) }
    playlists.whenLoaded { [weak self] in self?.playlistRows(request, completion) }
  }

  private func playlistRows(
    _ request: RowsRequest,
    _ completion: @escaping (Result<RowBatch, LibraryFailure>) -> Void
  ) {
    let merged = MergedPlaylists(
      PlaylistPart(playlists.rows, under: request.heading), playlists.articles,
      cursor: request.cursor, limit: request.limit)
    guard let request = merged.request else { return completion(.success(merged.batch())) }
    libraryRows(request) { result in
      switch result {
      case .success(let batch): completion(.success(merged.batch(batch)))
      case .failure(.unavailable) where !merged.needsLibrary,
        .failure(.off) where !merged.needsLibrary:
        completion(.success(merged.batch()))
      case .failure: completion(result)
      }
    }
  }

  private func libraryRows(
    _ request: RowsRequest,
    _ completion: @escaping (Result<RowBatch, LibraryFailure>) -> Void
  ) {
    if let absence = library.absence { return completion(.failure(absence)) }
    guard request.node == .volumes else { return library.rows(request, completion: completion) }
    library.rows(request) { [library] result in
      completion(result.map { library.state.volumes.named($0) })
    }
  }

  func letters(
    of node: LibraryNode, under heading: String?,
    completion: @escaping (Result<[LetterGroup], LibraryFailure>) -> Void
  ) {
    switch node {
    case .own(let id):
      playlists.whenLoaded { [playlists] in
        let list = playlists.index.lists.first { $0.name.identity == id }
        guard let list else { return completion(.failure(.unknownNode)) }
        completion(.success(RowRange.groups(ofRows: list.count ?? 0, under: heading)))
      }
    case .playlists:
      playlists.whenLoaded { [weak self] in self?.playlistLetters(heading, completion) }
    default: libraryLetters(node, heading, [], completion)
    }
  }

  private func playlistLetters(
    _ text: String?, _ completion: @escaping (Result<[LetterGroup], LibraryFailure>) -> Void
  ) {
    let keys = playlists.rows.map(\.key)
    guard let text else {
      return libraryLetters(
        .playlists, nil, PlaylistHeadings.groups(keys, length: 1), completion)
    }
    let heading = ListHeading(text)
    guard let letters = heading.letters else { return completion(.success([])) }
    if heading.range == nil, letters != OwnListKey.star, SortKey.isDivided(letters) {
      let own = PlaylistHeadings.groups(
        keys.filter { $0.isUnder(letters) }, length: letters.unicodeScalars.count + 1)
      return libraryLetters(.playlists, letters, own, completion)
    }
    // The headings are ranges of rows. They depend on the number of playlists of the unit and of the library, so this
    // number is requested first.
    playlistRows(RowsRequest(.playlists, heading: letters, limit: 1)) { result in
      completion(
        result.map { RowRange.groups(of: $0.count, under: heading.range, letters: letters) })
    }
  }

  /// - Parameter own: the headings of the unit's playlists, which are returned even if the library does not answer.
  private func libraryLetters(
    _ node: LibraryNode, _ heading: String?, _ own: [LetterGroup],
    _ completion: @escaping (Result<[LetterGroup], LibraryFailure>) -> Void
  ) {
    if let absence = library.absence {
      return completion(own.isEmpty ? .failure(absence) : .success(own))
    }
    library.letters(of: node, under: heading) { result in
      if case .failure(.unavailable) = result, !own.isEmpty { return completion(.success(own)) }
      completion(result.map { PlaylistHeadings.merged(own, $0) })
    }
  }

  func find(
    _ request: SearchRequest,
    completion: @escaping (Result<LibraryFindings, LibraryFailure>) -> Void
  ) {
    guard let query = SearchQuery(request.query, isByKeys: request.isByKeys) else {
      return completion(.failure(.noQuery))
    }
    playlists.whenLoaded { [weak self] in
      guard let self else { return }
      findAll(request, found(query, request.kind), completion)
    }
  }

  private func findAll(
    _ request: SearchRequest, _ own: [LibraryRow],
    _ completion: @escaping (Result<LibraryFindings, LibraryFailure>) -> Void
  ) {
    if let absence = library.absence {
      let isRefused = own.isEmpty && request.kind != .playlist
      return completion(isRefused ? .failure(absence) : .success(merged(own, .init(), request)))
    }
    library.find(request) { [weak self] result in
      guard let self else { return }
      if case .failure(.unavailable) = result, !own.isEmpty {
        return completion(.success(merged(own, LibraryFindings(), request)))
      }
      completion(
        result.map { found in
          var found = self.merged(own, found, request)
          found.rows = self.current.marked(found.rows)
          return found
        })
    }
  }

  /// Returns the playlists of the unit that a search finds, in the order of the groups of `LibraryReader.find`.
  private func found(_ query: SearchQuery, _ kind: LibraryRow.Kind?) -> [LibraryRow] {
    guard kind == nil || kind == .playlist else { return [] }
    let rows = playlists.rows.map { (name: FoldedName($0.row.title), row: $0.row) }
    var fits: [(FoldedName) -> Bool] = [query.isWhole]
    for query in [query, query.withoutAnd].compactMap(\.self) {
      fits += [{ query.matches([$0]) && query.begins($0) }, { query.matches([$0]) }]
    }
    var known: Set<Int64> = []
    return fits.flatMap { fit in
      rows.filter { !known.contains($0.row.id) && fit($0.name) && known.insert($0.row.id).inserted }
    }.map(\.row)
  }

  /// Maximum number of playlists in the answer to a search for all kinds of rows.
  private static let fewRows = 3

  /// Adds the playlists of the unit to the rows that the library has found, before the playlists among these rows.
  private func merged(
    _ own: [LibraryRow], _ found: LibraryFindings, _ request: SearchRequest
  ) -> LibraryFindings {
    guard !own.isEmpty else { return found }
    let limit = request.kind == nil ? Self.fewRows : min(max(request.limit, 1), 100)
    let others = found.rows.filter { $0.kind == .playlist }
    var merged = found
    let rows = own + others
    if rows.count > limit { merged.more.insert(.playlist) }
    let start = found.rows.firstIndex { $0.kind == .playlist || $0.kind == .folder }
    merged.rows.removeAll { $0.kind == .playlist }
    merged.rows.insert(
      contentsOf: rows.prefix(limit), at: min(start ?? merged.rows.count, merged.rows.count))
    return merged
  }

  func thumbnail(
    of row: RowReference, completion: @escaping (Result<[UInt8], LibraryFailure>) -> Void
  ) {
    if case .own? = row.node { return completion(.success([])) }
    if let absence = library.absence { return completion(.failure(absence)) }
    library.thumbnail(of: row, completion: completion)
  }

  func rescan(_ volume: String) -> Refusal? { withLibrary { $0.rescan(volume) } }
  func readAnew(_ volume: String) -> Refusal? { withLibrary { $0.readAnew(volume) } }
  func forget(_ volume: String) -> Refusal? { withLibrary { $0.forget(volume) } }

  private func withLibrary(_ body: (UnitLibrary) -> Refusal?) -> Refusal? {
    if let absence = library.absence { return Refusal(absence) }
    return body(library)
  }
}

extension [VolumeState] {
  /// Gives the folders of the volumes the names of the volumes. The library can still have the label of an absent stick
  /// whose name has a number.
  func named(_ batch: RowBatch) -> RowBatch {
    var batch = batch
    for index in batch.rows.indices {
      let volume = first { $0.report.folder == batch.rows[index].id }
      batch.rows[index].title = volume?.report.label ?? batch.rows[index].title
    }
    return batch
  }
}

// Requests for doubtful tags and playlists of the library, and for names that are similar to a misspelt name.
extension UnitLists {
  /// Reads the doubts of the library. The playlists of the unit are not examined.
  func doubts(completion: @escaping (Result<LibraryDoubts, LibraryFailure>) -> Void) {
    if let absence = library.absence { return completion(.failure(absence)) }
    library.doubts(completion: completion)
  }

  func similar(
    _ request: SimilarRequest,
    completion: @escaping (Result<SimilarRows, LibraryFailure>) -> Void
  ) {
    playlists.whenLoaded { [weak self] in
      guard let self else { return }
      let own = ownSimilar(request)
      if let absence = library.absence {
        return completion(own.rows.isEmpty ? .failure(absence) : .success(own))
      }
      library.similar(request) { result in
        if case .failure(.unavailable) = result, !own.rows.isEmpty {
          return completion(.success(own))
        }
        completion(
          result.map { found in
            var nearest = Self.nearer(own, found, limit: request.limit)
            nearest.rows = self.current.marked(nearest.rows)
            return nearest
          })
      }
    }
  }

  /// Returns the playlists of the unit whose names are most similar to a text. Each word of the text must be similar to
  /// a word of the name.
  private func ownSimilar(_ request: SimilarRequest) -> SimilarRows {
    guard request.kinds.contains(.playlist) else { return SimilarRows() }
    let words = SearchWords.typed(request.text).map { WrittenWord($0) }
    var similar = SimilarRows()
    for (key, row) in playlists.rows where !words.isEmpty {
      let names = SearchWords(FoldedName(key.name.text)).words
      let edits = words.map { word in
        var word = word
        return names.compactMap { word.edits(to: $0) }.min()
      }
      guard !edits.contains(nil) else { continue }
      let sum = edits.reduce(0) { $0 + ($1 ?? 0) }
      if similar.rows.isEmpty || sum < similar.edits {
        similar = SimilarRows(rows: [row], edits: sum)
      } else if sum == similar.edits, similar.rows.count < request.limit {
        similar.rows.append(row)
      }
    }
    return similar
  }

  /// Returns the rows of the unit (`own`) or the rows of the library (`other`): the rows with fewer edits between the
  /// text and the name. If the numbers of edits are equal, returns the rows of both. The playlists of the unit then
  /// come first only if all rows of the library are playlists.
  private static func nearer(_ own: SimilarRows, _ other: SimilarRows, limit: Int) -> SimilarRows {
    if own.rows.isEmpty || !other.rows.isEmpty && other.edits < own.edits { return other }
    if other.rows.isEmpty || own.edits < other.edits { return own }
    let areAllPlaylists = other.rows.allSatisfy { $0.kind == .playlist }
    let rows = areAllPlaylists ? own.rows + other.rows : other.rows + own.rows
    return SimilarRows(rows: Array(rows.prefix(max(1, limit))), edits: own.edits)
  }
}
