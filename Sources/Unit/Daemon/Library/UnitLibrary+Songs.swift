internal import EventLoop
internal import LibraryExchange
internal import LibraryModel

// Reads all songs of a list, for the queue.
extension UnitLibrary {
  typealias Songs = Result<TrackBatch, LibraryFailure>
  /// Receives a part of the songs of a list. If `isFirst` is true, the parts that were received before become invalid.
  typealias ReceiveSongs = (_ part: TrackBatch, _ isFirst: Bool) -> Void

  /// Reads all songs of a list, and passes each part to `receive` when it arrives, so that not all parts are in memory
  /// at once. If the list changes meanwhile, reading begins again, and `isFirst` is true again. At most
  /// ``TracksRequest/maximumTracks`` songs are read, and fewer if their texts need too much memory. At the end,
  /// `completion` gets a batch without songs, which describes the list.
  func songs(
    _ request: TracksRequest, receive: @escaping ReceiveSongs,
    completion: @escaping (Songs) -> Void
  ) {
    SongReading(link, request, receive: receive, completion: completion).start()
  }
}

/// Reads the songs of a list in parts, one part after the other.
private final class SongReading {
  private let link: LibraryLink
  private var request: TracksRequest
  private let receive: UnitLibrary.ReceiveSongs
  private let completion: (UnitLibrary.Songs) -> Void
  private var revision: Int64?
  private var attempts = 1
  /// Maximum number of attempts. If the list changes during an attempt, the list is read again. During the last
  /// attempt, a change is ignored.
  private static let maximumAttempts = 3
  /// Maximum size of the paths and texts of all songs of a list, in bytes. Lists of real music need less than a quarter
  /// of this size.
  private static let maximumBytes = 8 << 20
  private var bytes = 0
  /// Maximum number of parts of all attempts together. A list with the longest paths and texts has about 1500 parts.
  private static let maximumParts = 5000
  private var parts = 0
  /// Maximum time of all attempts together. A unit with a slow storage needs some seconds.
  private static let maximumTime = Duration.seconds(60)
  private let begin = EventClock.monotonic.now

  init(
    _ link: LibraryLink, _ request: TracksRequest,
    receive: @escaping UnitLibrary.ReceiveSongs, completion: @escaping (UnitLibrary.Songs) -> Void
  ) {
    self.link = link
    self.request = request
    self.receive = receive
    self.completion = completion
    self.request.first = 0
  }

  /// Requests the next part. The pending request keeps this object alive, so no other code needs a reference to it.
  func start() {
    link.ask(LibraryProcess1.getTracks, request) { [self] result in
      guard case .success(var batch) = result else { return completion(result) }
      if let revision, revision != batch.revision, attempts < Self.maximumAttempts {
        attempts += 1
        self.revision = nil
        request.first = 0
        bytes = 0
        return start()
      }
      let received = batch.tracks.count
      batch.tracks = fitting(batch.tracks)
      receive(batch, request.first == 0)
      request.first += batch.tracks.count
      revision = batch.revision
      let isCut = batch.tracks.count < received
      if !batch.tracks.isEmpty, !isCut, request.first < batch.count {
        parts += 1
        guard parts < Self.maximumParts,
          .nanoseconds(EventClock.monotonic.now - begin) < Self.maximumTime
        else { return completion(.failure(.failed("its list does not end"))) }
        return start()
      }
      batch.chosen = min(batch.chosen, max(0, request.first - 1))
      batch.tracks = []
      completion(.success(batch))
    }
  }

  private func fitting(_ tracks: [LibraryTrack]) -> [LibraryTrack] {
    Array(
      tracks.prefix { track in
        bytes += track.reference.path.count + track.title.utf8.count
        bytes += (track.artist?.utf8.count ?? 0) + (track.album?.utf8.count ?? 0)
        return bytes <= Self.maximumBytes
      })
  }
}
