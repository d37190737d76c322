internal import AudioCodecs
internal import Control
internal import Files
internal import HeadUnit
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import UnitState

// Handles songs that cannot be played: their medium was removed, their file is missing, or their file is damaged. Only
// a song whose medium was removed is waited for.
extension MusicFolders {
  /// Handles the start of a track. From now on, the saved position is no longer needed.
  func started(_ file: MusicFile) {
    if let awaited = awaitedPosition, awaited.song != file.reference { queue.keep(awaited) }
    hasPlayed = true
    hasNotedMissing = false
    heardVolume = file.volume?.identity
    if let lost = resumption.lost, isCurrent(lost), unit.player.hasCurrentFailed {
      // Only the beginning of the song was decoded before its medium was removed.
      unit.player.stop()
      unit.player.cue(at: lost.seconds)
      start()
      return
    }
    resumption.trackStarted()
    unit.source.isPlayWantedOnReturn = nil
    broken.removeAll { file.isAt($0.path) }
  }

  /// Handles a track that could not be played. Returns the notice to show, or nil if there is none.
  ///
  /// - Parameter isGone: true if the medium of the track was removed, even if it is mounted again.
  func failed(_ file: MusicFile, _ error: DecodeError, isGone: Bool) -> UnitNotice? {
    let path = file.path
    let isCurrent = unit.player.state.file?.isSameSong(as: file) ?? false
    var position =
      resumption.suspect
      ?? Resumption.Position(
        path: path, location: location(of: file),
        seconds: isCurrent ? unit.player.elapsedSeconds : 0,
        plays: !isCurrent || !unit.player.state.isPaused)
    if isLost(file, isGone: isGone) {
      // If a track was lost already, an earlier call has returned the notice about the missing medium.
      guard resumption.lost == nil else { return nil }
      // All following tracks on the same medium would fail too. If only the next track was opened in advance and
      // failed, the current track plays to its end.
      if isCurrent || self.isCurrent(position) && unit.player.hasCurrentFailed {
        position.seconds = max(position.seconds, unit.player.elapsedSeconds)
        unit.player.stop()
      }
      let notice = lose(position)
      // The medium can be mounted again already.
      start()
      return notice
    }
    if error.kind == .missingFile {
      // The player passes over all missing songs. One notice is enough.
      defer { hasNotedMissing = true }
      return hasNotedMissing ? nil : UnitNotice(.cannotPlay, about: file.shownTitle)
    }
    if error.kind == .unreadable {
      resumption.setSuspect(position)
      songErrors.addReadError(path) { MusicVolume.all(in: folders) }
    }
    // When a stick is removed, its files are removed from `broken`. A file that is only counted could not be removed,
    // so files above the limit are not added.
    if !broken.contains(path), broken.count < UnplayableFiles.limit {
      broken.add(UnplayableFile(path: path, reason: "\(error)"))
    }
    return UnitNotice(.cannotPlay, about: file.shownTitle)
  }

  /// True if the medium of a file was removed, or is mounted in another folder now.
  private func isLost(_ file: MusicFile, isGone: Bool) -> Bool {
    guard !isGone, let volume = file.volume else { return isGone }
    return volume.path == nil
      || presentVolumes(in: folders).volume(volume.identity).path != volume.path
  }

  /// The location of a file. The identity of its stick comes from the queue, because another stick can be mounted in
  /// the same folder now.
  private func location(of file: MusicFile) -> FileLocation? {
    guard let volume = file.volume, volume.path == nil || volume.isMedium else {
      return location(of: file.path)
    }
    // The mount point of an absent stick is not known. Any folder stands for it.
    let root = volume.path ?? "/media"
    return FileLocation(
      path: FileName.bytes("\(root)/\(file.pathInVolume)"), folderBytes: 0,
      stick: (volume.identity, root.utf8.count))
  }

  private func lose(_ position: Resumption.Position) -> UnitNotice {
    resumption.lose(position)
    unit.source.isPlayWantedOnReturn = position.plays
    let isCurrent = isCurrent(position)
    if isCurrent { unit.player.cue(at: position.seconds) }
    queue.leaveList(at: isCurrent ? position.seconds : nil)
    log(
      .musicRemoved,
      "\(position.path) was removed; playback continues when its medium is inserted again",
      at: .now())
    return UnitNotice(.mediumGone)
  }

  private func isCurrent(_ position: Resumption.Position) -> Bool {
    guard let file = unit.player.state.file else { return false }
    return file.isAt(position.path) || file.reference == position.location?.reference
  }

  /// Handles the end of playback. The medium can have been removed after the last song was decoded. Returns the notice
  /// to show, or nil if there is none.
  func ended() -> UnitNotice? {
    var notice: UnitNotice?
    if resumption.lost == nil, let next = unit.player.absentFollower {
      notice = lose(
        Resumption.Position(path: next.path, location: location(of: next), seconds: 0, plays: true))
    }
    // The medium can be mounted again already.
    if resumption.lost != nil { start() }
    return notice
  }

  /// Handles a track whose medium has reported an error, and whose file was not found afterwards.
  func loseSuspect() -> UnitNotice? {
    guard var position = resumption.suspect else { return nil }
    resumption.clearSuspect()
    guard resumption.lost == nil else { return nil }
    // The frames that were decoded before the error still play, so the position comes from the player.
    if isCurrent(position) {
      position.seconds = max(position.seconds, unit.player.elapsedSeconds)
      unit.player.stop()
    }
    return lose(position)
  }

  /// Handles a change of the mounts, before the search begins. Returns the notice to show, or nil if there is none.
  func followMounts() -> UnitNotice? {
    let present = presentVolumes(in: folders)
    var notice: UnitNotice?
    if let suspect = resumption.suspect, let stick = suspect.location?.stick,
      !sticks.mounted.contains(where: {
        $0.identity == stick.identity && $0.contains(FileName.bytes(suspect.path))
      })
    {
      notice = loseSuspect()
    }
    let player = unit.player
    // A paused track reads nothing, so it cannot fail.
    if let file = player.state.file, player.state.isPaused, !player.state.isStopped,
      player.hasEngine, resumption.lost == nil, let volume = file.volume, volume.isMedium,
      let path = volume.path, present.volume(volume.identity).path != path
    {
      let position = Resumption.Position(
        path: file.path, location: location(of: file), seconds: player.elapsedSeconds,
        plays: false)
      player.stop()
      notice = lose(position)
    }
    if let stick = resumption.fileToFind?.stick,
      sticks.mounted.contains(where: { $0.identity == stick.identity })
    {
      start()
    }
    return notice
  }

  // MARK: The return of a song

  /// Returns to the track that was lost with its medium. A queue that a person chose and that does not have the track
  /// at `path` keeps waiting, because `play` would put other music into it.
  func restore(_ lost: Resumption.Position, in path: String) {
    guard isInQueue(path) else { return }
    resumption.endLoss()
    let plays = unit.source.isPlayWantedOnReturn ?? lost.plays
    unit.source.isPlayWantedOnReturn = nil
    if !plays, lost.plays || !unit.player.hasEngine {
      // A person has stopped the music meanwhile, or another source plays.
      _ = unit.player.cue(path: path, at: lost.seconds)
    } else {
      move(to: path, at: lost.seconds, plays: plays)
    }
    log(.musicReturned, "\(path) is available again", at: .now())
  }

  /// True if the track of the last run plays when it is found.
  var playsAwaitedSong: Bool {
    resumption.playsLastRun && unit.source.isPlayWantedOnReturn != false
  }

  /// Passes over the song that waits for its medium, if all folders were searched, and its medium is present.
  func passOverMissingSong(_ files: [MusicFile]) {
    guard let location = resumption.fileToFind, unit.player.state.isStopped,
      isVolumePresent(of: location, files)
    else { return }
    passOver(location)
  }

  /// Must be called when the library does not find a song at any path.
  func songIsMissing(_ song: SongReference) {
    guard awaitedSong == song, unit.player.state.isStopped, let location = resumption.fileToFind,
      library.state.volumes.contains(where: {
        $0.report.identity == song.volume && $0.path != nil
          && [.ready, .empty].contains($0.report.condition)
      })
    else { return }
    passOver(location)
  }

  /// True if the file at this location is missing, although its volume is present.
  private func isVolumePresent(of location: FileLocation, _ files: [MusicFile]) -> Bool {
    if let stick = location.stick {
      guard let mount = sticks.mounted.first(where: { $0.identity == stick.identity }) else {
        return false
      }
      // A search that began before the stick was mounted says nothing about its files.
      return MusicVolume.all(in: folders).contains {
        FileName.bytes($0.path) == mount.point && searched.contains($0)
      }
    }
    let path = FileName.text(location.path)
    if unit.player.hasChosenQueue, let current = unit.player.queue.current, current.item.isAt(path)
    {
      return !current.item.isAbsent
    }
    // The folder of a stick that is not mounted cannot be told from a deleted folder. So at least one other file of the
    // folder must be there.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
    let folder = String(path[...slash])
    let volume = mounted.present.volume(containing: withoutTrailingSlashes(folder))
    return volume.map { PresentVolumes.isFolder($0.identity) } == true
      && files.contains { $0.directory == folder }
  }

  private func passOver(_ location: FileLocation) {
    let wasLost = resumption.lastRun?.file == nil
    let isAsked = resumption.takePlayAsked()
    let plays =
      isAsked
      || (wasLost
        ? unit.source.isPlayWantedOnReturn ?? resumption.lost?.plays ?? false : playsAwaitedSong)
    if wasLost { resumption.endLoss() } else { resumption.endLastRun() }
    unit.source.isPlayWantedOnReturn = nil
    let path = FileName.text(location.path)
    log(.musicMissing, "\(path) is missing; the next song plays", at: .now())
    // The player passes over the missing song. In a queue of all files, the song is not in the queue.
    let entries = unit.player.queue.entries
    let entry =
      entries.first { $0.item.reference == location.reference || $0.item.isAt(path) }
      ?? entries.first { $0.item.path > path }
    if let entry { _ = unit.player.cue(path: entry.item.path, at: 0) }
    if plays { requestPlay() }
  }
}
