public import MusicFiles
internal import NowPlaying

// *Previous* goes to the file that was heard before, also if the queue was shuffled again since then: after a restart,
// and when the files are replaced.
extension LocalPlayer {
  /// What was heard before a file.
  struct HeardBefore {
    /// The possible paths of the file that was heard before.
    var paths: [String]
    /// The path of the file that was heard then.
    var current: String
  }

  /// The file to which *previous* goes from the start of the current file, if the order alone does not tell it. Nil in
  /// an unshuffled order.
  public var shuffledPreceding: MusicFile? {
    guard queue.isShuffled else { return nil }
    return queue.currentID.flatMap(queue.preceding).flatMap(queue.entry)?.item
  }

  /// Notes what was heard before a file in an earlier run.
  ///
  /// - Parameters:
  ///   - paths: the possible paths of the file that was heard before.
  ///   - current: the path of the file that was heard then.
  public func setPreceding(_ paths: [String], of current: String) {
    heardBefore = HeardBefore(paths: paths, current: current)
    changeOrder { usePreceding() }
    updateQueueIndex()
  }

  /// Keeps what the queue knows before its files are replaced. What was noted for the current file stays noted until the
  /// files have it.
  func keepPreceding() {
    guard let current = queue.current?.item.path, heardBefore?.current != current else { return }
    heardBefore = shuffledPreceding.flatMap {
      $0.isAt(current) ? nil : HeardBefore(paths: [$0.path], current: current)
    }
  }

  /// Uses what was noted, if the queue has both files.
  func usePreceding() {
    guard let noted = heardBefore, queue.isShuffled, let current = queue.current,
      current.item.isAt(noted.current)
    else { return }
    let entries = queue.entries
    for path in noted.paths {
      guard let entry = entries.first(where: { $0.item.isAt(path) }) else { continue }
      // The saved order of a chosen queue is right, up to the beginning of its round.
      if hasChosenQueue {
        queue.setLastOfFormerRound(entry.id)
      } else {
        queue.setPreceding(entry.id)
      }
      heardBefore = nil
      return
    }
  }
}
