internal import Control
internal import LibraryModel
internal import MusicFiles
internal import NowPlaying
internal import Reports

/// A list that replaces the queue when it arrives. It plays as soon as its chosen song is there, and the rest follows. A
/// shuffled list begins with any of its songs, so it plays when it is there as a whole.
///
/// Used on the control thread; no call blocks.
final class ListArrival {
  private enum Stage {
    case awaited
    case playing(UnitQueue.Arrival)
    /// The list has changed while it was read. The library is asked for the missing songs later.
    case cut
  }

  private let queue: UnitQueue
  private let request: UnitQueue.Request
  private let files: SongFiles
  private let isShuffled: Bool
  private let seconds: Double
  private let parent: String
  private let reply: ListReply
  private var stage = Stage.awaited

  /// Begins a request of the queue.
  /// - Parameters:
  ///   - seconds: the position in the song that is chosen.
  ///   - parent: the list in which the list was chosen; empty if it is not known.
  init(
    _ queue: UnitQueue, _ mounted: MountedVolumes, shuffled: Bool, at seconds: Double,
    parent: String, _ reply: ListReply
  ) {
    self.queue = queue
    request = queue.beginRequest()
    files = SongFiles(mounted)
    isShuffled = shuffled
    self.seconds = seconds
    self.parent = parent
    self.reply = reply
  }

  /// Takes a part of the songs.
  func take(_ part: TracksPage, isFirst: Bool) {
    switch stage {
    case .awaited:
      files.take(part, isFirst: isFirst)
      let isThere = part.chosen < files.count && files.hasPresent && files.count < part.count
      guard isThere, !isShuffled, isLatest else { return }
      play(part, files.files(), isWhole: false)
      stage = queue.arrival.map { .playing($0) } ?? .cut
    case .playing where isFirst: stage = .cut
    case .playing(let arrival):
      files.take(part, isFirst: false)
      queue.follow(files.files(), in: arrival)
    case .cut: break
    }
  }

  /// Must be called when no more songs come.
  func end(_ result: UnitLibrary.Songs) {
    switch (stage, result) {
    case (.playing(let arrival), .success(let songs)): queue.end(arrival, revision: songs.revision)
    case (.playing, .failure), (.cut, _):
      if let arrival = queue.arrival { queue.end(arrival, revision: nil) }
    case (.awaited, .failure(let failure)): reply.refuse(Refusal(failure))
    case (.awaited, .success(let songs)):
      // Of two presses, only the latest one decides what plays.
      guard isLatest else { return reply.refuse(.superseded) }
      let files = files.files()
      if let refusal = Refusal(notPlaying: files) { return reply.refuse(refusal) }
      play(songs, files, isWhole: true)
    }
  }

  private var isLatest: Bool { request == queue.latestRequest }

  private func play(_ songs: TracksPage, _ files: [MusicFile], isWhole: Bool) {
    let start = seconds > 0 ? seconds : Double(songs.startMilliseconds) / 1000
    queue.replace(
      with: songs, files, isWhole: isWhole, at: start, shuffled: isShuffled, parent: parent,
      reply.command)
  }
}

extension Refusal {
  /// A later request has replaced this one.
  static let superseded = Refusal(.superseded, "something else was chosen meanwhile")

  /// Why the songs of a list cannot play; nil if one of them can.
  init?(notPlaying files: [MusicFile]) {
    if files.isEmpty {
      self.init(.noSuchContent, "there are no songs to play")
    } else if files.allSatisfy(\.isAbsent) {
      self.init(
        .sourceAbsent, "the songs are on a stick that is not there", remedy: "plug it in")
    } else {
      return nil
    }
  }
}
