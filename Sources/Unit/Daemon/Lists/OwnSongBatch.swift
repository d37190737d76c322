internal import LibraryModel
internal import MusicFiles
internal import UnitState

/// A batch of songs from a playlist of the unit.
struct OwnSongBatch: Sendable {
  /// A song of the playlist: its id, and its number in the playlist. The number is used only if the playlist no longer
  /// contains the id.
  struct Row {
    var id: Int64
    var number: Int

    init(_ identities: [Int64], _ number: Int) {
      id = identities[number]
      self.number = number
    }

    init?(_ parts: ArraySlice<Substring>) {
      guard parts.count == 2, let id = parts.first.flatMap({ Int64($0, radix: 16) }),
        let number = parts.last.flatMap({ Int($0) }), number >= 0
      else { return nil }
      self.id = id
      self.number = number
    }

    var text: String { "\(String(id, radix: 16)):\(number)" }

    /// The present number of the song. If the song was removed, returns its old number, which the next song has now.
    func start(_ identities: [Int64]) -> Int {
      identities.firstIndex(of: id) ?? min(number, identities.count)
    }

    /// The number of the song after this song. If this song was removed, returns its old number, which the next song
    /// has now.
    func end(_ identities: [Int64]) -> Int {
      identities.firstIndex(of: id).map { $0 + 1 } ?? min(number, identities.count)
    }
  }

  /// The position at which a batch begins or ends.
  private struct Cursor {
    var isBackward: Bool
    /// The last song before the batch. For a backward cursor, the first song after the batch.
    var row: Row
    /// The first and the last song of the range that contains the batch. Nil if the batches are not limited to a range.
    var bounds: (first: Row, last: Row)?

    init(isBackward: Bool, _ row: Row, _ bounds: (first: Row, last: Row)?) {
      self.isBackward = isBackward
      self.row = row
      self.bounds = bounds
    }

    /// Decodes a cursor. Nil if the text is not a cursor.
    init?(_ text: String) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 3 || parts.count == 7, parts[0] == "a" || parts[0] == "b",
        let row = Row(parts[1...2])
      else { return nil }
      self.init(isBackward: parts[0] == "b", row, nil)
      guard parts.count == 7 else { return }
      guard let first = Row(parts[3...4]), let last = Row(parts[5...6]) else { return nil }
      bounds = (first, last)
    }

    var text: String {
      let rows = [row] + (bounds.map { [$0.first, $0.last] } ?? [])
      return ([isBackward ? "b" : "a"] + rows.map(\.text)).joined(separator: ":")
    }
  }

  /// The maximum size of all rows of a batch, so that the answer fits into one message of the control socket.
  private static let maximumBytes = 56 << 10

  private var songs: [(id: Int64, entry: OwnPlaylist.Entry)] = []
  private var batch = RowBatch()

  /// - Parameters:
  ///   - text: the cursor. A text that is not a cursor stands for the beginning of the playlist.
  ///   - range: the rows to which the batches are limited; nil for all rows. Only the first batch uses the numbers of
  ///     these rows. For the later batches, the cursors contain the first and the last song of the range.
  init(_ list: OwnPlaylist, cursor text: String?, limit: Int, range: RowRange? = nil) {
    let identities = list.identities
    let cursor = text.flatMap { Cursor($0) }
    var bounds: (first: Row, last: Row)?
    var part = 0..<identities.count
    if let range {
      if let known = cursor?.bounds {
        let start = known.first.start(identities)
        part = start..<max(start, known.last.end(identities))
        bounds = known
      } else {
        part = range.rows.clamped(to: part)
        bounds = part.last.map { (Row(identities, part.lowerBound), Row(identities, $0)) }
      }
    }
    let shown = addSongs(list, identities, Self.wanted(cursor, part, limit, identities), cursor)
    batch.count = part.count
    batch.position = shown.lowerBound - part.lowerBound
    guard let last = shown.last else { return }
    if shown.upperBound < part.upperBound {
      batch.next = Cursor(isBackward: false, Row(identities, last), bounds).text
    }
    if shown.lowerBound > part.lowerBound {
      batch.previous = Cursor(isBackward: true, Row(identities, shown.lowerBound), bounds).text
    }
  }

  private static func wanted(
    _ cursor: Cursor?, _ part: Range<Int>, _ limit: Int, _ identities: [Int64]
  ) -> Range<Int> {
    let limit = min(max(limit, 1), 100)
    func inside(_ number: Int) -> Int { min(max(number, part.lowerBound), part.upperBound) }
    if let cursor, cursor.isBackward {
      let end = inside(cursor.row.start(identities))
      return inside(end - limit)..<end
    }
    let start = inside(cursor?.row.end(identities) ?? part.lowerBound)
    return start..<inside(start + limit)
  }

  /// Adds songs until their rows reach ``maximumBytes``. Returns the range of the added songs.
  private mutating func addSongs(
    _ list: OwnPlaylist, _ identities: [Int64], _ wanted: Range<Int>, _ cursor: Cursor?
  ) -> Range<Int> {
    var range = wanted
    var bytes = 0
    let isBackward = cursor?.isBackward ?? false
    for index in isBackward ? Array(wanted.reversed()) : Array(wanted) {
      let entry = list.entries[index]
      bytes += 200 + entry.shownTitle.utf8.count + entry.artist.utf8.count + entry.album.utf8.count
      if bytes > Self.maximumBytes, !songs.isEmpty {
        range = isBackward ? index + 1..<wanted.upperBound : wanted.lowerBound..<index
        break
      }
      songs.append((identities[index], entry))
    }
    if isBackward { songs.reverse() }
    return range
  }

  func rows(_ volumes: PresentVolumes) -> RowBatch {
    var batch = batch
    batch.rows = songs.map { id, entry in
      let song = entry.located(volumes)
      var row = LibraryRow(kind: .song, id: id, title: song.shownTitle)
      row.artist = song.artist.isEmpty ? nil : song.artist
      row.detail = song.album.isEmpty ? nil : song.album
      row.milliseconds = Int64(song.duration.milliseconds)
      row.bookmark = song.bookmark.map { Int64($0.milliseconds) }
      row.isAbsent = volumes.volume(song.reference.volume).path == nil
      return row
    }
    return batch
  }
}
