internal import AudioCodecs
internal import Control
internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import UnitState

// Handles the files that were found. Continues at the position of the last run, or at the position that was lost when a
// medium was removed.
extension MusicFolders {
  /// Receives the next part of the files that were found. Returns the notice to show, or nil if there is none.
  func receiveFindings() -> UnitNotice? {
    guard let part = takePart(), search != .none else { return nil }
    if search == .firstFile { return playFirst(part) }
    arriving.files += part.files
    arriving.unplayable.add(part.unplayable)
    arriving.counts.merge(part.counts) { old, new in
      var sum = old
      sum.add(new)
      return sum
    }
    guard let summary = part.summary else { return nil }
    let answer = arriving
    arriving = MusicFinder.Part()
    if search == .awaitedFile {
      let notice = continueAwaited(answer.files.first)
      searchAll()
      return notice
    }
    search = .none
    unplayable = answer.unplayable
    cutTagValues = summary.cutTagValues
    volumes.apply(
      answer.counts, of: searched, present: MusicVolume.all(in: folders), wasCut: summary.wasCut)
    logUnplayable()
    log(.musicFound, "\(answer.files.count) files in the music folders", at: .now())
    return setAll(answer.files)
  }

  /// Continues with the file that waited for its medium. `file` is nil if this file was not found.
  private func continueAwaited(_ file: MusicFile?) -> UnitNotice? {
    guard let file else { return loseSuspect() }
    let isInQueue = unit.player.queue.entries.contains { $0.item.isAt(file.path) }
    if let lastRun = resumption.lastRun {
      if !isInQueue { queue.setAllFiles([file]) }
      restore(lastRun, in: file.path)
    } else if let lost = resumption.lost, unit.player.state.isStopped {
      if !isInQueue { queue.setAllFiles([file]) }
      restore(lost, in: file.path)
    }
    resumption.clearSuspect()
    return nil
  }

  /// Plays the first files that were found, and then searches for all files.
  private func playFirst(_ part: MusicFinder.Part) -> UnitNotice? {
    guard !part.files.isEmpty || part.summary != nil else { return nil }
    cancelSearch()
    search = .none
    let notice = part.files.isEmpty ? nil : setAll(part.files)
    searchAll()
    return notice
  }

  /// Gives all files of the folders to the player, and offers a new stick. Returns the notice to show, or nil.
  func setAll(_ files: [MusicFile]) -> UnitNotice? {
    let isFirst = unit.player.count == 0 && !resumption.waitsForTrack
    defer { if isFirst { offer(files) } }
    if broken.count > 0 {
      let paths = Set(files.map(\.path))
      broken.removeAll { !paths.contains($0.path) }
    }
    queue.setAllFiles(files)
    func isFound(_ path: String) -> Bool { files.contains { $0.isAt(path) } }
    if let lastRun = resumption.lastRun {
      if let path = candidates(of: lastRun.file).first(where: isFound) {
        restore(lastRun, in: path)
      } else if lastRun.file == nil, !files.isEmpty {
        resumption.endLastRun()
        if resumption.playsLastRun { requestPlay() }
      }
      // If the file was not found, the unit still waits for its medium, which can be inserted later.
    }
    if let lost = resumption.lost, unit.player.state.isStopped,
      let path = candidates(of: lost.location).first(where: isFound)
    {
      restore(lost, in: path)
    }
    if !files.isEmpty, resumption.takePlayAsked() { requestPlay() }
    if let suspect = resumption.suspect, isFound(suspect.path) { resumption.clearSuspect() }
    return loseSuspect()
  }

  /// Handles a stick on which the first music of this run was found. Plays the stick, or shows a notice that the stick
  /// is ready.
  private func offer(_ files: [MusicFile]) {
    guard unit.player.state.isStopped, !hasPlayRequest, let path = files.first?.path,
      let identity = mounted.present.volume(containing: path)?.identity,
      let volume = mounted.present.volumes[identity], volume.isStick
    else { return }
    if playsNewSticks {
      requestPlay()
    } else {
      outbox.put(.notice(UnitNotice(.stickReady, about: volume.name)))
    }
  }

  private func loseSuspect() -> UnitNotice? {
    guard var position = resumption.suspect else { return nil }
    resumption.clearSuspect()
    guard resumption.lost == nil else { return nil }
    // The frames that were decoded before the error still play, so the position comes from the player.
    if position.path == unit.player.state.file?.path, !unit.player.state.isStopped {
      position.seconds = unit.player.elapsedSeconds
      unit.player.stop()
    }
    return lose(position)
  }

  /// Continues at the beginning of the file at `location`, instead of the file that the last run saved.
  func resume(at location: FileLocation) {
    resumption.wait(for: location)
    if !unit.player.state.isStopped { unit.player.stop() }
    start()
  }

  // MARK: Positions

  /// Returns to the saved position.
  private func restore(_ state: UnitState, in path: String) {
    resumption.endLastRun()
    let seconds = state.elapsed.seconds
    let isAsked = resumption.takePlayAsked()
    let plays = resumption.playsLastRun || isAsked
    move(to: path, at: seconds, plays: plays)
    if let preceding = state.preceding {
      unit.player.setPreceding(candidates(of: preceding), of: path)
    }
    log(
      plays ? .musicResumed : .musicHeld,
      "\(plays ? "continues" : "is paused in") \(path) at \(seconds) s", at: .now())
  }

  /// Returns to the track that was lost with its medium.
  private func restore(_ lost: Resumption.Position, in path: String) {
    resumption.endLoss()
    move(to: path, at: lost.seconds, plays: lost.plays)
    log(.musicReturned, "\(path) is available again", at: .now())
  }

  private func move(to path: String, at seconds: Double, plays: Bool) {
    if plays {
      _ = unit.player.cue(path: path, at: seconds)
      requestPlay()
    } else {
      _ = unit.player.hold(path: path, at: seconds)
    }
  }

  /// Handles the start of a track. From now on, the saved position is no longer needed.
  func started(_ file: MusicFile) {
    hasPlayed = true
    resumption.trackStarted()
    broken.removeAll { file.isAt($0.path) }
  }

  /// Handles a track that could not be played. If its medium was removed, the unit returns to the track when the medium
  /// is inserted again. Returns the notice to show, or nil if there is none.
  func failed(_ file: MusicFile, _ error: DecodeError, isGone: Bool) -> UnitNotice? {
    let path = file.path
    let isCurrent = path == unit.player.state.file?.path
    let position =
      resumption.suspect
      ?? Resumption.Position(
        path: path, location: location(of: path),
        seconds: isCurrent ? unit.player.elapsedSeconds : 0,
        plays: !isCurrent || !unit.player.state.isPaused)
    guard isGone else {
      if error.kind == .unreadable { resumption.setSuspect(position) }
      // When a stick is removed, its files are removed from `broken`. A file that is only counted could not be removed,
      // so files above the limit are not added.
      if !broken.contains(path), broken.count < UnplayableFiles.limit {
        broken.add(UnplayableFile(path: path, reason: "\(error)"))
      }
      return UnitNotice(.cannotPlay, about: file.shownTitle)
    }
    // If a track was lost already, an earlier call has returned the notice about the missing medium.
    guard resumption.lost == nil else { return nil }
    // All following tracks on the same medium would fail too. If only the next track was opened in advance and failed,
    // the current track plays to its end.
    if isCurrent { unit.player.stop() }
    searchAll()
    return lose(position)
  }

  private func lose(_ position: Resumption.Position) -> UnitNotice {
    resumption.lose(position)
    let isCurrent = position.path == unit.player.state.file?.path
    queue.leaveList(at: isCurrent ? position.seconds : nil)
    log(
      .musicRemoved,
      "\(position.path) was removed; playback continues when its medium is inserted again",
      at: .now())
    return UnitNotice(.mediumGone)
  }
}
