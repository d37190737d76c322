internal import AudioEngine
internal import MusicFiles
internal import NowPlaying

/// The tracks that the engine was given, and what it has said of them: a value.
///
/// Each request has an id of its own, so a file that plays twice has two. Ids grow.
struct RequestedTracks {
  typealias Entry = PlayQueue<MusicFile>.Entry

  private struct Track {
    /// Of the queue: places move when the order changes.
    var entry: Entry
    let request: TrackRequest
    var description: TrackDescription?
    var hasFailed = false
  }

  private let replayGain: ReplayGainMode
  private var tracks: [Int: Track] = [:]
  private var lastID = 0
  /// The track that sounds, or was asked for last; 0 for none.
  private(set) var currentID = 0
  /// The last track of which the engine asked what follows it; 0 while it has not.
  private(set) var decodedID = 0
  /// The track that the engine was given then.
  private(set) var upcomingID: Int?
  /// The last track that was decoded to its end.
  private var finishedID = 0
  /// Files that failed since one played: when all did, another round has no use.
  private(set) var failuresInARow = 0

  init(replayGain: ReplayGainMode) { self.replayGain = replayGain }

  // MARK: Reading

  func entry(_ id: Int) -> Entry? { tracks[id]?.entry }

  func file(_ id: Int) -> MusicFile? { tracks[id]?.entry.item }

  /// What the engine will play after the current one, whatever changes: the ring may hold several
  /// short tracks.
  var given: [Entry] {
    let given = tracks.filter { $0.key > currentID && !$0.value.hasFailed }
    return given.sorted { $0.key < $1.key }.map(\.value.entry)
  }

  /// The file that is decoded next, or now.
  var decoding: MusicFile? {
    file(finishedID == currentID ? upcomingID ?? currentID : currentID)
  }

  // MARK: What the player asks for

  /// Makes a new request the current one.
  mutating func begin(_ entry: Entry) -> TrackRequest {
    failuresInARow = 0
    let new = request(entry)
    currentID = new.id
    forgetUpcoming()
    return new.request
  }

  /// The request of the current track, to begin at another place. What was to follow is taken back
  /// with what is decoded; the engine will ask for it again.
  mutating func restartCurrent() -> TrackRequest? {
    guard let track = tracks[currentID] else { return nil }
    tracks = [currentID: track]
    forgetUpcoming()
    return track.request
  }

  /// The engine has not asked yet what follows.
  mutating func forgetUpcoming() {
    decodedID = 0
    upcomingID = nil
  }

  /// The engine gives the upcoming track back.
  mutating func withdrawUpcoming() {
    guard let id = upcomingID else { return }
    tracks[id] = nil
    upcomingID = nil
  }

  /// Files have new numbers in the queue. A file that is gone keeps its old number, which the queue
  /// does not know.
  mutating func renumber(_ entries: [String: Entry]) {
    for id in tracks.keys {
      if let entry = tracks[id].flatMap({ entries[$0.entry.item.path] }) {
        tracks[id]?.entry = entry
      }
    }
  }

  // MARK: What the engine says

  mutating func opened(_ id: Int, _ description: TrackDescription) {
    tracks[id]?.description = description
  }

  /// Makes the track the current one. Nil for a track that is not known, or was not opened.
  mutating func started(_ id: Int) -> (entry: Entry, description: TrackDescription)? {
    guard let track = tracks[id], let description = track.description else { return nil }
    currentID = id
    tracks = tracks.filter { $0.key >= id }
    return (track.entry, description)
  }

  mutating func decoded(_ id: Int) {
    failuresInARow = 0
    finishedID = id
  }

  mutating func failed(_ id: Int) {
    failuresInARow += 1
    tracks[id]?.hasFailed = true
  }

  /// The engine asks what follows track `id`. Returns the request for `entry`.
  mutating func follow(_ id: Int, with entry: Entry?) -> TrackRequest? {
    // Where the engine asks again after a track, what it was given then is not played.
    tracks = tracks.filter { $0.key <= id }
    decodedID = id
    let upcoming = entry.map { request($0) }
    upcomingID = upcoming?.id
    return upcoming?.request
  }

  private mutating func request(_ entry: Entry) -> (id: Int, request: TrackRequest) {
    lastID += 1
    let request = TrackRequest.file(entry.item.path, id: lastID, replayGain: replayGain)
    tracks[lastID] = Track(entry: entry, request: request)
    return (lastID, request)
  }
}
