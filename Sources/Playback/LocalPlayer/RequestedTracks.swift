internal import AudioEngine
internal import MusicFiles
internal import NowPlaying

/// The tracks for which the engine got requests, and the state of each track as the engine reported it.
///
/// Each request has its own id, so a file that plays twice has two ids. Each new id is greater than all earlier ids.
struct RequestedTracks {
  typealias Entry = PlayQueue<MusicFile>.Entry

  private struct Track {
    /// The entry of the queue. The index is not stored, because it changes with the order.
    var entry: Entry
    /// The path at which the file is opened. The path of the entry changes if its volume is mounted in another folder.
    let path: String
    let request: TrackRequest
    var description: TrackDescription?
    var hasFailed = false
  }

  private let replayGain: ReplayGainChoice
  private var tracks: [Int: Track] = [:]
  private var lastID = 0
  /// The track that is heard. After ``begin(_:)``, the requested track, even before it is heard. 0 if there is none.
  private(set) var currentID = 0
  /// The last track whose successor the engine requested. 0 if the engine has not requested a successor yet.
  private(set) var decodedID = 0
  /// The successor that the player has sent to the engine. Nil if it has sent none.
  private(set) var upcomingID: Int?
  /// The last track that was decoded to its end.
  private var finishedID = 0
  /// Number of files that failed since a file was last decoded to its end, or since ``begin(_:)`` was last called. If
  /// all files have failed, a further attempt is of no use.
  private(set) var failuresInARow = 0

  init(replayGain: ReplayGainChoice) { self.replayGain = replayGain }

  // MARK: Reading

  func entry(_ id: Int) -> Entry? { tracks[id]?.entry }

  func file(_ id: Int) -> MusicFile? { tracks[id]?.entry.item }

  /// The tracks that the engine will play after the current track, even if the order changes. There may be several such
  /// tracks, because the ring can contain several short tracks.
  var queued: [Entry] {
    let queued = tracks.filter { $0.key > currentID && !$0.value.hasFailed }
    return queued.sorted { $0.key < $1.key }.map(\.value.entry)
  }

  /// The file that is being decoded, or that will be decoded next.
  var decoding: MusicFile? {
    file(finishedID == currentID ? upcomingID ?? currentID : currentID)
  }

  /// True if this track could not be played to its end.
  func hasFailed(_ id: Int) -> Bool { tracks[id]?.hasFailed ?? false }

  /// The entry of a track that could not be opened, because its volume is mounted in another folder now. Nil otherwise.
  func movedEntry(_ id: Int) -> Entry? {
    guard let track = tracks[id], track.hasFailed, track.description == nil,
      !track.entry.item.isAbsent, !track.entry.item.isAt(track.path)
    else { return nil }
    return track.entry
  }

  /// True if the engine has opened the file of this track.
  func isOpened(_ id: Int) -> Bool { tracks[id]?.description != nil }

  /// True if a track was requested. Also true after a stop.
  var hasCurrent: Bool { tracks[currentID] != nil }

  // MARK: Requests of the player

  /// Creates a request for an entry, and makes it the current request.
  ///
  /// - Parameter isShuffled: true while single songs are shuffled.
  mutating func begin(_ entry: Entry, isShuffled: Bool) -> TrackRequest {
    failuresInARow = 0
    let new = request(entry, isShuffled)
    currentID = new.id
    forgetUpcoming()
    return new.request
  }

  /// Returns the request of the current track, so that the track can start at another position. The successor is
  /// dropped together with the decoded frames. The engine then requests a successor again.
  mutating func restartCurrent() -> TrackRequest? {
    guard let track = tracks[currentID] else { return nil }
    tracks = [currentID: track]
    forgetUpcoming()
    return track.request
  }

  /// Forgets that the engine has requested a successor, and which successor was sent.
  mutating func forgetUpcoming() {
    decodedID = 0
    upcomingID = nil
  }

  /// Call this after the upcoming track was withdrawn from the engine.
  mutating func withdrawUpcoming() {
    guard let id = upcomingID else { return }
    tracks[id] = nil
    upcomingID = nil
  }

  /// Stores the new entries after the files of the queue were replaced. A file that is no longer in the queue keeps its
  /// old entry.
  ///
  /// - Parameter preferred: if a file has several entries, and this is one of them, the file gets this entry.
  mutating func renumber(_ entries: [Entry], preferring preferred: Entry?) {
    for (id, track) in tracks {
      let file = track.entry.item
      let isPreferred = preferred?.item.isSameSong(as: file) ?? false
      let entry = isPreferred ? preferred : entries.first { $0.item.isSameSong(as: file) }
      // A file that plays is read at its old path, even if its volume is absent now.
      if let entry { tracks[id]?.entry = entry.item.isAbsent ? Entry(id: entry.id, file) : entry }
    }
  }

  // MARK: Events of the engine

  mutating func opened(_ id: Int, _ description: TrackDescription) {
    tracks[id]?.description = description
  }

  /// Makes the track the current track. Returns nil if the track is unknown or was not opened.
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

  /// The engine requests the successor of track `id`. Returns the request for `entry`.
  ///
  /// - Parameter isShuffled: true while single songs are shuffled.
  mutating func follow(_ id: Int, with entry: Entry?, isShuffled: Bool) -> TrackRequest? {
    // If the engine requests the successor of a track again, the engine does not play the previous answer. So the
    // previous answer is dropped.
    tracks = tracks.filter { $0.key <= id }
    decodedID = id
    let upcoming = entry.map { request($0, isShuffled) }
    upcomingID = upcoming?.id
    return upcoming?.request
  }

  private mutating func request(
    _ entry: Entry, _ isShuffled: Bool
  ) -> (id: Int, request: TrackRequest) {
    lastID += 1
    let request = TrackRequest.file(
      entry.item.path, on: entry.item.volume, id: lastID,
      gain: { [replayGain] in $0.gain(replayGain.settings, isShuffled: isShuffled) })
    tracks[lastID] = Track(entry: entry, path: entry.item.path, request: request)
    return (lastID, request)
  }
}
