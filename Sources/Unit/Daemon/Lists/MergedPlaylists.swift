internal import LibraryModel
internal import NameKeys
internal import UnitState

/// A playlist of the unit in the list of all playlists.
typealias OwnListRow = (key: OwnListKey, row: LibraryRow)

/// A batch of the list of all playlists: those of the unit, and then those of the library.
///
/// A cursor says in which of the two parts it is. In the part of the unit it has the name of a list, and not its
/// number, so each list is shown once while lists come and go.
struct MergedPlaylists {
  /// Where a batch begins or ends.
  enum Cursor: Equatable {
    /// After the list of the unit with this name. An empty name stands for the beginning of the part.
    case after(String)
    /// Before the list of the unit with this name. An empty name stands for the end of the part.
    case before(String)
    /// In the part of the library, with its own cursor. Nil for the beginning of the part.
    case library(String?, isBackward: Bool)

    /// The cursor with this text. A text that is not a cursor begins the list.
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
  /// The part of the unit, in order.
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
    // If the lists before a batch are gone, the batch is that at the beginning.
    if case .before(let name) = self.cursor, end(before: name) == 0 { self.cursor = .after("") }
  }

  private func end(before name: String) -> Int {
    guard let key = key(name) else { return rows.count }
    return rows.firstIndex { !($0.key < key) } ?? rows.count
  }

  private func key(_ name: String) -> OwnListKey? {
    PlaylistName(name).map { OwnListKey($0, articles) }
  }

  /// The rows of the unit in the batch. For a cursor in the part of the library, this is known only with the batch of
  /// the library.
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

  /// What the library is asked for. At least one row, because the number of its rows is needed, too. Nil if no row of
  /// the library is in the part.
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

  /// True if the batch has no rows without those of the library.
  var needsLibrary: Bool { if case .library = cursor { true } else { false } }

  /// The batch, with the batch of the library for ``request``.
  func batch(_ library: RowBatch = RowBatch()) -> RowBatch {
    var batch = RowBatch()
    batch.count = rows.count + library.count
    var slice = slice
    // The rows of the library in the batch.
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
