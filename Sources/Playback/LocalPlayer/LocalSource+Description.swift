internal import AudioCodecs
internal import AudioEngine
internal import MusicFiles
public import NowPlaying

// The state that the session publishes.
extension LocalSource {
  func description(at now: MonotonicInstant) -> SessionDescription {
    guard let file = player.state.file else { return SessionDescription() }
    // The first content is published before it plays. Otherwise no surface could send a play
    // command for this content (E1).
    let id = contentID(file)
    let seconds = player.state.description?.durationSeconds
    let duration = seconds.map { MediaDuration.finite(.seconds($0)) }
    var description = SessionDescription(
      content: .music(content(id, file, duration)),
      playback: .players(SessionPlayers(report(id, duration, at: now))),
      commands: commands(canSeek: duration != nil),
      upNext: player.upNext(limit: NowPlayingState.upNextLimit).map { item($0, besides: file, id) })
    description.awaitsContent = awaitedList != nil
    return description
  }

  /// Tracks of the same album in the same folder share a cover. The cover of any other track is
  /// unknown until that track plays.
  private func item(
    _ entry: LocalPlayer.Entry, besides current: MusicFile, _ contentID: String
  ) -> UpNextItem {
    let file = entry.item
    return UpNextItem(
      id: Self.itemID(entry.id), title: file.shownTitle, artist: file.artist,
      duration: file.declaredSeconds.map { .seconds($0) },
      artworkID: file.isOfAlbum(of: current) ? artwork(contentID, current)?.id : nil)
  }

  /// The title and the tracks of the current album, in unshuffled order. If the current track has
  /// no album, the title is the name of the folder, and the tracks are the tracks of the folder
  /// that have no album. The identity of the item of the current track is the identity of the
  /// current content. Nil if there is no current track.
  public func album(limit: Int) -> (title: String, items: [UpNextItem])? {
    guard let file = player.state.file else { return nil }
    let id = contentID(file)
    let items = player.album(of: file, limit: limit).map { other in
      let item = item(other, besides: file, id)
      return other.id == player.queue.currentID
        ? UpNextItem(
          id: id, title: item.title, artist: item.artist, duration: item.duration,
          artworkID: artwork(id, file)?.id) : item
    }
    return (file.album ?? file.folderName, items)
  }

  private static let itemPrefix = "queue:"

  private static func itemID(_ entry: Int) -> String { "\(itemPrefix)\(entry)" }

  /// The number of the entry with this identity in *Up Next*. Nil if it is no such identity.
  static func entry(ofItem id: String) -> Int? {
    id.hasPrefix(itemPrefix) ? Int(id.dropFirst(itemPrefix.count)) : nil
  }

  /// The identity of a file is the same in each run. A file that was replaced since the last scan has another one as
  /// soon as it is open.
  func contentID(_ file: MusicFile) -> String {
    let stamp = player.state.description?.stamp ?? 0
    return "local-" + String(file.identity(stamp: stamp == 0 ? file.stamp : stamp), radix: 16)
  }

  private func content(
    _ id: String, _ file: MusicFile, _ duration: MediaDuration?
  ) -> MusicContent {
    var items = MetadataItems(
      player.state.metadata.comments.entries.compactMap {
        MetadataItem(tag: $0.name, value: $0.value)
      })
    if items.text(.title) == nil { items.append(MetadataItem(.title, file.shownTitle)) }
    return MusicContent(
      id: id, metadata: items, duration: duration, artwork: artwork(id, file))
  }

  private func report(
    _ id: String, _ duration: MediaDuration?, at now: MonotonicInstant
  ) -> PlayerReport {
    let state = player.state
    let isWaiting = seeking.isActive || starvation.isLong
    let condition: PlayerReport.Condition =
      if isAwaitingList { .buffering } else if state.isStopped { .stopped } else {
        isWaiting && !state.isPaused ? .buffering : .ready
      }
    return PlayerReport(
      contentID: id, duration: duration, position: .seconds(player.elapsedSeconds),
      rate: state.isPaused || state.isStopped ? 0 : heldSeek?.rate ?? 1, condition: condition,
      seeksCompleted: seeksCompleted, timestamp: now)
  }
}
