internal import Control
internal import LibraryModel
internal import NameKeys
internal import Text
internal import UnitState

// Names that are similar to a misspelt name, also those of the unit's own playlists.
extension UnitLists {
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

  /// The lists of the unit that are most similar to a text. Each word of the text must be similar to a word of the
  /// name.
  private func ownSimilar(_ request: SimilarRequest) -> SimilarRows {
    guard request.kinds.contains(.playlist) else { return SimilarRows() }
    let words = SearchWords(FoldedName(request.text)).words.map { WrittenWord($0) }
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

  /// The rows with fewer edits. If the edits are equal, the lists of the unit come first only for a request for
  /// playlists.
  private static func nearer(_ own: SimilarRows, _ other: SimilarRows, limit: Int) -> SimilarRows {
    if own.rows.isEmpty || !other.rows.isEmpty && other.edits < own.edits { return other }
    if other.rows.isEmpty || own.edits < other.edits { return own }
    let areAllPlaylists = other.rows.allSatisfy { $0.kind == .playlist }
    let rows = areAllPlaylists ? own.rows + other.rows : other.rows + own.rows
    return SimilarRows(rows: Array(rows.prefix(max(1, limit))), edits: own.edits)
  }
}
