internal import Control
internal import LibraryModel
internal import NowPlaying
internal import Reports

/// A list that replaces the queue when it arrives. It plays as soon as its chosen song is there, and the rest follows.
/// A shuffled list begins with any of its songs, so it plays when it is there as a whole.
///
/// Used on the control thread; no call blocks.
final class ListArrival {
  private enum Stage {
    case awaited
    /// The list plays, and more of its songs come.
    case playing(UnitQueue.Arrival)
    /// What comes now does not count.
    case over
  }

  private let queue: UnitQueue
  private let mounted: MountedVolumes
  private var files: SongFiles
  private let isShuffled: Bool
  private let seconds: Double
  private let parent: String
  private let reply: ListReply
  private var stage = Stage.awaited

  /// - Parameters:
  ///   - seconds: the position in the song that is chosen.
  ///   - parent: the list in which the list was chosen; empty if it is not known.
  init(
    _ queue: UnitQueue, _ mounted: MountedVolumes, shuffled: Bool, at seconds: Double,
    parent: String, _ reply: ListReply
  ) {
    self.queue = queue
    self.mounted = mounted
    files = SongFiles(mounted)
    isShuffled = shuffled
    self.seconds = seconds
    self.parent = parent
    self.reply = reply
  }

  /// Receives a part of the songs.
  func receive(_ part: TrackBatch, isFirst: Bool) {
    switch stage {
    case .awaited:
      files.receive(part, isFirst: isFirst)
      // A song before the chosen one does not play.
      let isThere = files.lastPresent.map { $0 >= part.chosen } ?? false
      guard isThere, part.chosen < files.count, !isShuffled, reply.isLatest else { return }
      play(part, isWhole: files.count >= part.count)
    case .playing(let arrival):
      // If the list has changed while it was read, its new songs follow.
      if isFirst { files = SongFiles(mounted, except: queue.songKeys) }
      files.receive(part, isFirst: isFirst)
      queue.follow(files.files(), in: arrival)
    case .over: break
    }
  }

  /// Must be called when no more songs come.
  func end(_ result: UnitLibrary.Songs) {
    switch (stage, result) {
    case (.over, _): break
    case (.playing(let arrival), _): queue.end(arrival, revision: try? result.get().revision)
    // Of two presses, only the latest one decides what plays.
    case (.awaited, _) where !reply.isLatest: reply.refuse(.superseded)
    case (.awaited, .failure(let failure)): reply.refuse(Refusal(failure))
    case (.awaited, .success(let songs)):
      if let refusal = files.refusal { return reply.refuse(refusal) }
      play(songs, isWhole: true)
    }
  }

  private func play(_ songs: TrackBatch, isWhole: Bool) {
    let start = seconds > 0 ? seconds : Double(songs.startMilliseconds) / 1000
    queue.replace(
      with: songs, files.files(), isWhole: isWhole, at: start, shuffled: isShuffled,
      parent: parent, reply.command)
    stage = queue.arrival.map { .playing($0) } ?? .over
  }
}

extension Refusal {
  /// A later request has replaced this one.
  static let superseded = Refusal(.superseded, "something else was chosen meanwhile")

  static let songsAbsent = Refusal(
    .sourceAbsent, "the songs are on a stick that is not there", remedy: "plug it in")
}

extension SongFiles {
  /// Why no song that was taken can play. Nil if one can.
  var refusal: Refusal? {
    if count == 0 { return Refusal(.noSuchContent, "there are no songs to play") }
    return lastPresent == nil ? .songsAbsent : nil
  }
}
