internal import AudioCodecs
internal import AudioEngine
internal import Control
internal import EventLoop
internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import Threads

// What happens: files are found, media come and go, and tracks start and fail.
extension MusicFolders {
  /// The sources of events.
  struct Events {
    /// The finder and the mounts.
    var sources: [DescriptorSource] = []
    /// Searches some time after a mount.
    var rescan: TimerSource?
    /// Looks whether the search waits for a medium.
    var medium: TimerSource?
    var haveMountsChanged = false
  }

  /// The pause between a mount and the search for music. Often, the files appear a moment after the mount.
  private static let settleTime = Duration.milliseconds(300)
  /// How often this object looks whether the search waits for a medium.
  private static let mediumInterval = Duration.seconds(5)

  /// Begins to follow the finder and the mounts. Call this before ``start()``.
  func listen(_ loop: EventLoop) throws(SystemError) {
    events.sources = [
      try DescriptorSource(loop, descriptor: foundWake.descriptor) { [weak self] _ in
        guard let self else { return }
        put(receiveFindings())
      },
      try DescriptorSource(loop, descriptor: mountsWake.descriptor) { [weak self] _ in
        self?.mountsChanged()
      },
    ]
    events.rescan = TimerSource(loop, clock: .monotonic) { [weak self] in
      guard let self else { return }
      find()
      turns.request()
    }
    events.medium = TimerSource(loop, clock: .monotonic) { [weak self] in
      guard let self else { return }
      put(checkMedium(at: .now()))
      watchMedium()
    }
  }

  private func put(_ notice: UnitNotice?) {
    if let notice { outbox.put(.notice(notice)) }
    turns.request()
  }

  /// Looks in a few seconds whether the search waits for a medium.
  func watchMedium() {
    if isFinderBusy { events.medium?.set(after: Self.mediumInterval) }
  }

  private func mountsChanged() {
    mountsWake.clear()
    forgetRemovedVolumes()
    events.haveMountsChanged = true
    events.rescan?.set(after: Self.settleTime)
    turns.request()
  }

  /// True if something was mounted or unmounted since the last call.
  func takeMountsChange() -> Bool {
    defer { events.haveMountsChanged = false }
    return events.haveMountsChanged
  }

  // MARK: Tracks

  /// Must be called with each event of the player.
  func handle(_ event: LocalPlayer.Event) {
    let now = MonotonicInstant.now()
    switch event {
    case .started(let file, let description, let index):
      started(file)
      library.setPreferredFolder(file.path)
      log(
        .trackStarted,
        "\(index + 1)/\(unit.player.count) \(file.path) [\(description.codec)]", at: now)
    case .metadataChanged(let file, let metadata):
      log(.trackMetadata, "\(file.path): \(metadata.title ?? "untitled")", at: now)
    case .damaged(let file, let error):
      log(.trackDamaged, "\(file.path): \(error)", at: now)
    case .moreDamage(let file, let count):
      log(.trackDamaged, "\(file.path): \(count) more places were skipped", at: now)
    case .failed(let file, let error, let isGone):
      put(failed(file, error, isGone: isGone))
      log(.trackFailed, "\(file.path): \(error)", at: now)
    default: break
    }
  }
}
