internal import Control
internal import LibraryModel
internal import LocalPlayer
internal import NowPlaying
internal import Reports

/// Receives the songs of a list in parts, and replaces the queue with them. The list plays as soon as its chosen song
/// has arrived; the other songs are added later. A shuffled list begins with a random song, so it plays only after all
/// its songs have arrived.
///
/// Used on the control thread; no call blocks.
final class ListArrival {
  private enum Stage {
    case awaited
    /// The list plays. More of its songs arrive.
    case playing(UnitQueue.Arrival)
    /// Songs that arrive now are ignored.
    case over
  }

  private let queue: UnitQueue
  private let mounted: MountedVolumes
  private var files: SongFiles
  private let isShuffled: Bool
  private let isSongChosen: Bool
  private let seconds: Double
  private let parent: String
  private let reply: ListReply
  private var stage = Stage.awaited

  /// - Parameters:
  ///   - shuffled: true if the list turns shuffle on.
  ///   - isSongChosen: true if the user has chosen a song of the list.
  ///   - seconds: the position in the chosen song; 0 for the start that the list states.
  ///   - parent: the list in which the user chose this list, such as the albums of an artist; empty if unknown.
  init(
    _ queue: UnitQueue, _ mounted: MountedVolumes, shuffled: Bool, isSongChosen: Bool,
    at seconds: Double, parent: String, _ reply: ListReply
  ) {
    self.queue = queue
    self.mounted = mounted
    files = SongFiles(mounted)
    isShuffled = shuffled
    self.isSongChosen = isSongChosen
    self.seconds = seconds
    self.parent = parent
    self.reply = reply
  }

  /// Receives a part of the songs of the list.
  func receive(_ part: TrackBatch, isFirst: Bool) {
    switch stage {
    case .awaited:
      files.receive(part, isFirst: isFirst)
      // The list begins with the chosen song. If this song is absent, the list begins with the next present song.
      let isThere = files.lastPresent.map { $0 >= part.chosen } ?? false
      guard isThere, part.chosen < files.count, !isRandom, reply.isLatest else { return }
      play(part, isWhole: files.count >= part.count)
    case .playing(let arrival):
      // If the list changes while it is read, it is read again from its beginning. Then only the songs that are not in
      // the queue are added.
      if isFirst { files = SongFiles(mounted, except: queue.songKeys) }
      files.receive(part, isFirst: isFirst)
      queue.follow(files.files(), in: arrival)
    case .over: break
    }
  }

  /// Must be called when no more songs of the list arrive.
  func end(_ result: UnitLibrary.Songs) {
    switch (stage, result) {
    case (.over, _): break
    case (.playing(let arrival), _): queue.end(arrival, revision: try? result.get().revision)
    // The user has chosen something else meanwhile, so this list does not play.
    case (.awaited, _) where !reply.isLatest: reply.refuse(.superseded)
    case (.awaited, .failure(let failure)): reply.refuse(Refusal(failure))
    case (.awaited, .success(let songs)):
      if let refusal = files.refusal { return reply.refuse(refusal) }
      play(songs, isWhole: true)
    }
  }

  /// True if the list begins with any song.
  private var isRandom: Bool {
    !isSongChosen && (isShuffled || queue.player.queue.isShuffled)
  }

  private func play(_ songs: TrackBatch, isWhole: Bool) {
    let start = seconds > 0 ? seconds : Double(songs.startMilliseconds) / 1000
    queue.replace(
      with: songs, files.files(), first: isRandom ? nil : songs.chosen, isWhole: isWhole,
      at: start, shuffled: isShuffled,
      parent: parent, reply.command)
    stage = queue.arrival.map { .playing($0) } ?? .over
  }
}

extension Refusal {
  /// A later request has replaced the request for this list.
  static let superseded = Refusal(.superseded, "something else was chosen meanwhile")

  static let songsAbsent = Refusal(
    .sourceAbsent, "the songs are on a stick that is not there", remedy: "plug it in")
}

extension SongFiles {
  /// The reason why none of the received songs can play. Nil if at least one song can play.
  var refusal: Refusal? {
    if count == 0 { return Refusal(.noSuchContent, "there are no songs to play") }
    return lastPresent == nil ? .songsAbsent : nil
  }
}
