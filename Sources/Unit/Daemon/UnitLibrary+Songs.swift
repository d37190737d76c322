internal import LibraryExchange
internal import LibraryModel

// All songs of a list, for the queue.
extension UnitLibrary {
  typealias Songs = Result<TracksPage, LibraryFailure>

  /// Reads all songs of a list, and passes each part to `take` when it arrives, so that the parts are never in memory
  /// together. If the list changes meanwhile, the reading begins again, and `isFirst` is true again.
  func songs(
    _ request: TracksRequest, take: @escaping ([LibraryTrack], _ isFirst: Bool) -> Void,
    completion: @escaping (Songs) -> Void
  ) {
    SongReading(link, request, take: take, completion: completion).start()
  }
}

/// Reads the songs of a list, part after part.
private final class SongReading {
  private let link: LibraryLink
  private var request: TracksRequest
  private let take: ([LibraryTrack], _ isFirst: Bool) -> Void
  private let completion: (UnitLibrary.Songs) -> Void
  private var revision: Int64?
  private var attempts = 1
  /// The list may change while its parts are read. After this number of attempts the songs that were read count.
  private static let maximumAttempts = 3

  init(
    _ link: LibraryLink, _ request: TracksRequest,
    take: @escaping ([LibraryTrack], _ isFirst: Bool) -> Void,
    completion: @escaping (UnitLibrary.Songs) -> Void
  ) {
    self.link = link
    self.request = request
    self.take = take
    self.completion = completion
    self.request.first = 0
  }

  /// The open request keeps this object.
  func start() {
    link.tracks(request) { [self] result in
      guard case .success(var page) = result else { return completion(result) }
      if let revision, revision != page.revision, attempts < Self.maximumAttempts {
        attempts += 1
        self.revision = nil
        request.first = 0
        return start()
      }
      take(page.tracks, request.first == 0)
      request.first += page.tracks.count
      revision = page.revision
      if !page.tracks.isEmpty, request.first < page.count { return start() }
      page.tracks = []
      completion(.success(page))
    }
  }
}
