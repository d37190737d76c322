internal import Control
internal import EventLoop
internal import HeadUnit
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import UnitState

// Plays what is present: at the start, and when a stick comes.
extension MusicFolders {
  /// While the machine has been running for less than this time, its sticks are still being found.
  static let machineStartTime = Duration.seconds(20)

  var isMachineStarting: Bool { MonotonicInstant.now().awake < Self.machineStartTime }

  /// True if the library answers questions about the songs of a volume.
  var hasLibrary: Bool { library.absence == nil && library.state.condition != .unavailable }

  /// True if a volume has music, false if it has none. Nil if this is not known yet.
  func hasMusic(on identity: String) -> Bool? {
    guard hasLibrary else {
      let path = mounted.present.volumes[identity]?.path
      return volumes.found.first { $0.volume.path == path }.map { $0.count.playable > 0 }
    }
    guard let volume = library.state.volumes.first(where: { $0.report.identity == identity }),
      volume.path != nil
    else { return nil }
    if volume.report.songs > 0 { return true }
    return switch volume.report.condition {
    case .waiting, .listing, .reading, .absent: nil
    case .unreadable, .refused, .empty, .ready: false
    }
  }

  /// If the configuration says that the unit always plays at the start, and the medium of the last song is missing,
  /// plays the music that is present.
  func playWhatIsPresentAtStart() {
    guard playsAtStart, !hasAskedAtStart, !hasPlayed, let location = resumption.lastRun?.file,
      playsAwaitedSong, !isFinderBusy, !isMachineStarting
    else { return }
    if let stick = location.stick, sticks.mounted.contains(where: { $0.identity == stick.identity })
    {
      return
    }
    guard unit.player.hasMusic || unit.source.otherMusic?.isPresent() == true else { return }
    hasAskedAtStart = true
    requestPlay()
  }

  /// Plays the sticks that came, or shows a notice that they are ready. Call this in each turn, after the library was
  /// updated.
  /// - Parameter isPhoneFirst: true if a phone is Now Playing, is awaited, or did not answer in this run.
  func considerNewSticks(isPhoneFirst: Bool) {
    guard !newSticks.isEmpty, !isFinderBusy else { return }
    for identity in mounted.sticks where newSticks.contains(identity) {
      // The files of a new stick become the queue if no person has chosen a queue. They arrive a little later.
      guard let hasMusic = hasMusic(on: identity),
        !hasMusic || !queue.isFree || unit.player.count > 0
      else { continue }
      newSticks.remove(identity)
      if hasMusic, canPlay(stick: identity) { offer(identity, isPhoneFirst: isPhoneFirst) }
    }
  }

  /// True if nothing else can play. The song that was heard last is continued in another way, if it is on this stick.
  private func canPlay(stick identity: String) -> Bool {
    let player = unit.player
    guard player.state.isStopped, !hasPlayRequest, heardVolume != identity,
      resumption.fileToFind?.stick?.identity != identity
    else { return false }
    return !player.queue.entries.contains {
      !$0.item.isAbsent && $0.item.volume?.identity != identity
    }
  }

  private func offer(_ identity: String, isPhoneFirst: Bool) {
    guard let volume = mounted.present.volumes[identity] else { return }
    if !playsNewSticks {
      outbox.put(.notice(UnitNotice(.stickReady, about: volume.name)))
    } else if !isPhoneFirst {
      stickToPlay = identity
      turns.request()
    }
  }

  /// Returns once the stick that must play. The daemon then sends the command that chooses this stick.
  func takeStickToPlay() -> String? {
    defer { stickToPlay = nil }
    return stickToPlay
  }
}

/// A volume that was chosen while the library does not answer.
struct FolderChoice {
  let volume: String
  /// The song with which the volume continues. Nil for its first song.
  let place: RecentLists.Entry?
  let reply: ListReply
}

// Plays a volume while the library does not answer: the queue of all files begins with this volume.
extension MusicFolders {
  /// Replaces the queue with all files of the folders, and plays the volume of `choice`.
  func play(_ choice: FolderChoice) {
    folderChoice = choice
    find(folders, .allFiles)
  }

  func takeFolderChoice() -> FolderChoice? {
    defer { folderChoice = nil }
    return folderChoice
  }

  func play(_ choice: FolderChoice, _ files: [MusicFile]) -> UnitNotice? {
    guard choice.reply.isLatest else {
      choice.reply.refuse(.superseded)
      return setAll(files)
    }
    queue.replaceWithAllFiles(files)
    let entries = unit.player.queue.entries.map(\.item)
    let place = choice.place.flatMap { place in entries.first { $0.reference == place.reference } }
    guard
      let file = place ?? entries.first(where: { $0.volume?.identity == choice.volume })
    else {
      choice.reply.refuse(.songsAbsent)
      return nil
    }
    _ = unit.player.hold(
      path: file.path, at: place == nil ? 0 : choice.place?.elapsed.seconds ?? 0)
    queue.source.resume(choice.reply.command)
    return nil
  }
}
