internal import LibraryExchange
internal import LibraryModel

// All songs of a list, for the queue.
extension UnitLibrary {
  typealias Songs = Result<TracksPage, LibraryFailure>

  /// The list may change while its parts are read. After this number of attempts the songs that were read count.
  private static let maximumAttempts = 3

  /// Reads all songs of a list, part after part.
  func songs(_ request: TracksRequest, completion: @escaping (Songs) -> Void) {
    var request = request
    request.first = 0
    songs(request, after: nil, attempts: 1, completion)
  }

  private func songs(
    _ request: TracksRequest, after before: TracksPage?, attempts: Int,
    _ completion: @escaping (Songs) -> Void
  ) {
    link.tracks(request) { [weak self] result in
      guard case .success(let page) = result else { return completion(result) }
      guard let self else { return completion(.failure(.unavailable)) }
      if let before, before.revision != page.revision, attempts < Self.maximumAttempts {
        var again = request
        again.first = 0
        return songs(again, after: nil, attempts: attempts + 1, completion)
      }
      var whole = before ?? page
      if before != nil { whole.tracks += page.tracks }
      guard !page.tracks.isEmpty, whole.tracks.count < whole.count else {
        return completion(.success(whole))
      }
      var following = request
      following.first = whole.tracks.count
      songs(following, after: whole, attempts: attempts, completion)
    }
  }
}
