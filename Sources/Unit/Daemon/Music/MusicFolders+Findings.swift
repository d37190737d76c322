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
    // The queue must know the new mount before its entries are looked up by their paths.
    updateVolumes()
    if let lastRun = resumption.lastRun {
      if !isInQueue(file.path) { queue.setAllFiles([file]) }
      restore(lastRun, in: file.path)
    } else if let lost = resumption.lost, unit.player.state.isStopped {
      if !isInQueue(file.path) { queue.setAllFiles([file]) }
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

  /// Gives all files of the folders to the player. Returns the notice to show, or nil.
  func setAll(_ files: [MusicFile]) -> UnitNotice? {
    if let choice = takeFolderChoice() { return play(choice, files) }
    if broken.count > 0 {
      let paths = Set(files.map(\.path))
      broken.removeAll { !paths.contains($0.path) }
    }
    queue.setAllFiles(waitingFiles + files)
    func isFound(_ path: String) -> Bool { files.contains { $0.isAt(path) } }
    if let lastRun = resumption.lastRun {
      if let path = candidates(of: lastRun.file).first(where: isFound) {
        restore(lastRun, in: path)
      } else if lastRun.file == nil, !files.isEmpty {
        resumption.endLastRun()
        if resumption.playsLastRun { requestPlay() }
      } else {
        // The unit still waits for the medium of the file, which can be inserted later.
        queue.cueLeftSong()
      }
    }
    if let lost = resumption.lost, unit.player.state.isStopped,
      let path = candidates(of: lost.location).first(where: isFound)
    {
      updateVolumes()
      restore(lost, in: path)
    }
    if case .search = origin { passOverMissingSong(files) }
    if !files.isEmpty, resumption.takePlayAsked() { requestPlay() }
    if let suspect = resumption.suspect, isFound(suspect.path) { resumption.clearSuspect() }
    return loseSuspect()
  }

  /// The files of the medium that was removed while its song played. They stay in the queue of all files.
  private var waitingFiles: [MusicFile] {
    let player = unit.player
    guard !player.state.isStopped || resumption.lost != nil, let file = player.queue.current?.item,
      file.isAbsent
    else { return [] }
    return player.queue.entries.map(\.item).filter {
      $0.isAbsent && $0.volume?.identity == file.volume?.identity
    }
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
    let plays = playsAwaitedSong || isAsked
    unit.source.isPlayWantedOnReturn = nil
    move(to: path, at: seconds, plays: plays)
    if let preceding = state.preceding {
      unit.player.setPreceding(candidates(of: preceding), of: path)
    }
    log(
      plays ? .musicResumed : .musicHeld,
      "\(plays ? "continues" : "is paused in") \(path) at \(seconds) s", at: .now())
  }

  func isInQueue(_ path: String) -> Bool {
    unit.player.queue.entries.contains { $0.item.isAt(path) }
  }

  func move(to path: String, at seconds: Double, plays: Bool) {
    if plays {
      _ = unit.player.cue(path: path, at: seconds)
      requestPlay()
    } else {
      _ = unit.player.hold(path: path, at: seconds)
    }
  }
}
