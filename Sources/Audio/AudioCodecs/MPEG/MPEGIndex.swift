/// The offsets of MPEG frames that ``MPEGFrames`` has passed, for seeking. The size of the index is bounded: when it is
/// full, every second entry is dropped, and the distance between new entries doubles.
struct MPEGIndex {
  /// The offset of an MPEG frame in the file, and the position of its first frame of sound.
  struct Entry: Equatable {
    let offset: Int64
    let position: Int64
    /// The header at `offset`. Joined files can have parts with different headers.
    let header: MPEGFrameHeader
  }

  static let maximumEntries = 2048
  /// The smallest distance between two entries, in frames of sound: about half a second.
  private static let minimumDistance: Int64 = 20 * 1152

  private(set) var entries: [Entry]
  private var distance = minimumDistance

  init(start: Int64, header: MPEGFrameHeader) {
    entries = [Entry(offset: start, position: 0, header: header)]
  }

  /// Stores an MPEG frame if its distance from the last entry is large enough. MPEG frames before the last entry are
  /// ignored, because the index contains them already.
  mutating func record(_ entry: Entry) {
    guard entry.position >= entries[entries.count - 1].position + distance else { return }
    if entries.count == Self.maximumEntries {
      entries = entries.indices.filter { $0.isMultiple(of: 2) }.map { entries[$0] }
      distance *= 2
      guard entry.position >= entries[entries.count - 1].position + distance else { return }
    }
    entries.append(entry)
  }

  /// The last entry at or before `position`.
  func entry(before position: Int64) -> Entry {
    var (low, high) = (0, entries.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if entries[middle].position <= position { low = middle } else { high = middle }
    }
    return entries[low]
  }
}
