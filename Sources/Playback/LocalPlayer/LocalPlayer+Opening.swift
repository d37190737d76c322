public import MusicFiles
internal import NowPlaying

/// The attempt to open a song of the queue. Songs that cannot be opened are passed over.
struct OpeningAttempt {
  /// True if *previous* began the attempt: a song that cannot be opened is passed over backwards.
  var isBackwards = false
  /// True if the attempt continues at the first entry when it has reached the end of the queue.
  var wraps = false
  /// The entries that could not be opened.
  var failed: Set<LocalPlayer.Entry.ID> = []
}

// Songs that are missing or cannot be opened, although their volume is present.
extension LocalPlayer {
  /// True if a song of the queue is present, and is not known to be a song that cannot be opened.
  public var hasMusic: Bool {
    queue.ids.contains { !queue.absent.contains($0) && !unopened.contains($0) }
  }

  /// True if only the beginning of the current track could be decoded.
  public var hasCurrentFailed: Bool { tracks.hasFailed(tracks.currentID) }

  /// The first entry that can play.
  var firstPlayable: Entry? {
    queue.ids.first { !queue.passesOver($0) }.flatMap(queue.entry)
  }

  /// The file after the current file, if both are absent and no other file follows. Nil otherwise.
  public var absentFollower: MusicFile? {
    guard let current = queue.currentID, queue.absent.contains(current),
      following(queue.current, isAsked: false) == nil, let index = queue.index(of: current)
    else { return nil }
    let next = queue.ids[(index + 1)...].first.flatMap(queue.entry)?.item
    return next?.isAbsent == true ? next : nil
  }

  /// Plays another entry, because the current entry could not be opened. If no entry can be opened, stops.
  func passOverCurrent() {
    guard let current = queue.currentID else { return }
    attempt.failed.insert(current)
    queue.noteUnheard()
    if let entry = candidate(besides: current).flatMap(queue.entry) {
      return play(entry, attempt: attempt)
    }
    stop()
    let isPresent = queue.ids.contains {
      !queue.absent.contains($0) && !attempt.failed.contains($0)
    }
    hasRunOut = isPresent
    if !isPresent { unopened = attempt.failed }
    furtherEvents.append(isPresent ? .ended : .noneOpened)
  }

  /// The entry to open after `id` could not be opened.
  private func candidate(besides id: Entry.ID) -> Entry.ID? {
    func canOpen(_ id: Entry.ID) -> Bool {
      !queue.passesOver(id) && !attempt.failed.contains(id)
    }
    let order = queue.ids
    guard let index = order.firstIndex(of: id) else { return nil }
    if attempt.isBackwards {
      if queue.isShuffled {
        // Each step removes an entry from what was heard, so the loop ends.
        while let entry = queue.goBack() {
          if !attempt.failed.contains(entry.id) { return entry.id }
        }
      } else if let before = queue.preceding, canOpen(before) {
        return before
      } else if let before = order[..<index].last(where: canOpen) {
        return before
      }
      // No earlier song can be opened, so the song that was left plays again.
      attempt.isBackwards = false
    }
    if let after = queue.following(id, isAsked: true), canOpen(after) { return after }
    if let after = order[(index + 1)...].first(where: canOpen) { return after }
    return attempt.wraps || queue.repeatMode != .off ? order[..<index].first(where: canOpen) : nil
  }
}
