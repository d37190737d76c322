internal import LibraryModel
internal import NameKeys
internal import UnitState

/// A playlist of the unit, as a row in the list of all playlists.
typealias OwnListRow = (key: OwnListKey, row: LibraryRow)

/// A batch of the list of all playlists. The playlists of the unit come first, and then the playlists of the library.
///
/// A cursor states to which part of the list it belongs: the playlists of the unit, or the playlists of the library. In
/// the part of the unit, the cursor contains the name of a playlist and not its number. So each playlist is shown once,
/// even if other playlists are added or deleted meanwhile.
struct MergedPlaylists {
  /// The position at which a batch begins or ends.
  enum Cursor: Equatable {
    /// After the unit's playlist with this name. An empty name stands for the beginning of the part.
    case after(String)
    /// Before the unit's playlist with this name. An empty name stands for the end of the part.
    case before(String)
    /// In the part of the library, with a cursor of the library. Nil stands for the beginning of the part.
    case library(String?, isBackward: Bool)

    /// Decodes a cursor. A text that is not a cursor stands for the beginning of the list.
    init(_ text: String?) {
      let rest = text.map { String($0.dropFirst(2)) } ?? ""
      switch text?.prefix(2) {
      case "b:": self = .before(rest)
      case "f:": self = .library(rest.isEmpty ? nil : rest, isBackward: false)
      case "r:": self = .library(rest, isBackward: true)
      case "a:": self = .after(rest)
      default: self = .after("")
      }
    }

    var text: String {
      switch self {
      case .after(let name): "a:\(name)"
      case .before(let name): "b:\(name)"
      case .library(let cursor, false): "f:\(cursor ?? "")"
      case .library(let cursor, true): "r:\(cursor ?? "")"
      }
    }
  }

  private let part: PlaylistPart
  /// The rows of the unit's playlists, in order.
  private var rows: [OwnListRow] { part.rows }
  private let articles: Articles
  private(set) var cursor: Cursor
  /// Maximum number of rows of the batch.
  let limit: Int

  init(_ part: PlaylistPart, _ articles: Articles, cursor: String?, limit: Int) {
    self.part = part
    self.articles = articles
    self.limit = limit
    self.cursor = Cursor(cursor)
    // If no playlist remains before the cursor, the batch begins at the beginning of the list.
    if case .before(let name) = self.cursor, end(before: name) == 0 { self.cursor = .after("") }
  }

  private func end(before name: String) -> Int {
    guard let key = key(name) else { return rows.count }
    return rows.firstIndex { !($0.key < key) } ?? rows.count
  }

  private func key(_ name: String) -> OwnListKey? {
    PlaylistName(name).map { OwnListKey($0, articles) }
  }

  /// The range of the unit's rows in the batch. For a cursor in the part of the library, ``batch(_:)`` computes the
  /// range.
  private var slice: Range<Int> {
    switch cursor {
    case .after(let text):
      let start =
        key(text).map { key in rows.firstIndex { key < $0.key } ?? rows.count } ?? 0
      return start..<min(rows.count, start + limit)
    case .before(let text):
      let end = end(before: text)
      return max(0, end - limit)..<end
    case .library: return rows.count..<rows.count
    }
  }

  /// The request to the library. It asks for at least one row, because its answer also contains the number of the
  /// library's playlists, which is always needed. Nil if ``PlaylistPart/hasLibrary`` is false.
  var request: RowsRequest? {
    guard part.hasLibrary else { return nil }
    var request = RowsRequest(.playlists, heading: part.heading, limit: 1)
    switch cursor {
    case .after: request.limit = max(1, limit - slice.count)
    case .before: break
    case .library(let cursor, _):
      request.cursor = cursor
      request.limit = limit
    }
    return request
  }

  /// True if the batch cannot be made without the rows of the library.
  var needsLibrary: Bool { if case .library = cursor { true } else { false } }

  /// Returns the batch, made from the rows of the unit and the answer of the library to ``request``.
  func batch(_ library: RowBatch = RowBatch()) -> RowBatch {
    var batch = RowBatch()
    batch.count = rows.count + library.count
    var slice = slice
    // The rows of the library's playlists in the batch.
    var others = library.rows
    switch cursor {
    case .after: others = slice.count < limit ? others : []
    case .before: others = []
    case .library(_, let isBackward):
      if isBackward, library.previous == nil {
        slice = max(0, rows.count - (limit - others.count))..<rows.count
      }
    }
    batch.rows = rows[slice].map(\.row) + others
    batch.position =
      slice.isEmpty && needsLibrary ? rows.count + library.position : slice.lowerBound
    batch.next = next(slice, others, library)
    batch.previous = previous(slice, others, library)
    return batch
  }

  private func next(
    _ slice: Range<Int>, _ others: [LibraryRow], _ library: RowBatch
  ) -> String? {
    if !others.isEmpty {
      return library.next.map { Cursor.library($0, isBackward: false).text }
    }
    if slice.upperBound < rows.count, let last = rows[slice].last {
      return Cursor.after(last.key.name.text).text
    }
    let isBehindAll = needsLibrary && slice.isEmpty
    return library.count > 0 && !isBehindAll
      ? Cursor.library(nil, isBackward: false).text : nil
  }

  private func previous(
    _ slice: Range<Int>, _ others: [LibraryRow], _ library: RowBatch
  ) -> String? {
    if slice.isEmpty, needsLibrary, let cursor = library.previous {
      return Cursor.library(cursor, isBackward: true).text
    }
    guard slice.lowerBound > 0 else { return nil }
    return Cursor.before(slice.isEmpty ? "" : rows[slice.lowerBound].key.name.text).text
  }
}
