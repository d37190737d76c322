internal import LibraryModel
internal import UnitState

/// The pages of the list of all playlists: those of the unit, and then those of the library.
///
/// A cursor says in which of the two parts it is. In the part of the unit it has the name of a list, and not
/// its number, so each list is shown once while lists come and go.
struct OwnListPages {
  /// Where a page begins or ends.
  enum Cursor: Equatable {
    /// After the list of the unit with this name. An empty name stands for the beginning of the part.
    case after(String)
    /// Before the list of the unit with this name. An empty name stands for the end of the part.
    case before(String)
    /// In the part of the library, with its own cursor. Nil for the beginning of the part.
    case library(String?, isBackward: Bool)

    /// The cursor with this text. A text that is no cursor begins the list.
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

  /// The part of the unit, in order.
  let rows: [(name: PlaylistName, row: LibraryRow)]
  let cursor: Cursor
  /// Maximum number of rows of the page.
  let limit: Int

  init(_ rows: [(name: PlaylistName, row: LibraryRow)], cursor: String?, limit: Int) {
    self.rows = rows
    self.limit = limit
    let cursor = Cursor(cursor)
    // If the lists before a page are gone, the page is that at the beginning.
    let isAtBeginning =
      if case .before(let name) = cursor { Self.end(rows, before: name) == 0 } else { false }
    self.cursor = isAtBeginning ? .after("") : cursor
  }

  private static func end(
    _ rows: [(name: PlaylistName, row: LibraryRow)], before name: String
  ) -> Int {
    guard let name = PlaylistName(name) else { return rows.count }
    return rows.firstIndex { !($0.name < name) } ?? rows.count
  }

  /// The rows of the unit on the page. For a cursor in the part of the library, this is known only with the
  /// page of the library.
  private var slice: Range<Int> {
    switch cursor {
    case .after(let text):
      let name = PlaylistName(text)
      let start =
        name.map { name in rows.firstIndex { name < $0.name } ?? rows.count } ?? 0
      return start..<min(rows.count, start + limit)
    case .before(let text):
      let end = Self.end(rows, before: text)
      return max(0, end - limit)..<end
    case .library: return rows.count..<rows.count
    }
  }

  /// What the library is asked for. At least one row, because the number of its rows is needed, too.
  var request: PageRequest {
    switch cursor {
    case .after: PageRequest(.playlists, limit: max(1, limit - slice.count))
    case .before: PageRequest(.playlists, limit: 1)
    case .library(let cursor, _): PageRequest(.playlists, cursor: cursor, limit: limit)
    }
  }

  /// True if the page has no rows without those of the library.
  var needsLibrary: Bool { if case .library = cursor { true } else { false } }

  /// The page, with the page of the library for ``request``.
  func page(_ library: LibraryPage) -> LibraryPage {
    var page = LibraryPage()
    page.count = rows.count + library.count
    var slice = slice
    // The rows of the library on the page.
    var others = library.rows
    switch cursor {
    case .after: others = slice.count < limit ? others : []
    case .before: others = []
    case .library(_, let isBackward):
      if isBackward, library.previous == nil {
        slice = max(0, rows.count - (limit - others.count))..<rows.count
      }
    }
    page.rows = rows[slice].map(\.row) + others
    page.position = slice.isEmpty && needsLibrary ? rows.count + library.position : slice.lowerBound
    page.next = next(slice, others, library)
    page.previous = previous(slice, others, library)
    return page
  }

  private func next(
    _ slice: Range<Int>, _ others: [LibraryRow], _ library: LibraryPage
  ) -> String? {
    if !others.isEmpty {
      return library.next.map { Cursor.library($0, isBackward: false).text }
    }
    if slice.upperBound < rows.count, let last = rows[slice].last {
      return Cursor.after(last.name.text).text
    }
    let isBehindAll = needsLibrary && slice.isEmpty
    return library.count > 0 && !isBehindAll
      ? Cursor.library(nil, isBackward: false).text : nil
  }

  private func previous(
    _ slice: Range<Int>, _ others: [LibraryRow], _ library: LibraryPage
  ) -> String? {
    if slice.isEmpty, needsLibrary, let cursor = library.previous {
      return Cursor.library(cursor, isBackward: true).text
    }
    guard slice.lowerBound > 0 else { return nil }
    return Cursor.before(slice.isEmpty ? "" : rows[slice.lowerBound].name.text).text
  }
}
