internal import LibraryModel
internal import Reports

/// A page of the library, except the first page.
struct LibraryStep: Sendable {
  /// The subject of the page.
  enum Subject: Equatable, Sendable {
    /// A list, or the part of a list under a heading.
    case list(LibraryNode, heading: String?)
    /// The headings of a list that do not fit into one page of letters.
    case furtherLetters(LibraryNode, heading: String?)
    /// A collection: an album, an artist, a genre, or a playlist.
    case collection(LibraryRow)
    case search
  }

  /// The content of the page, from the last answer.
  enum Content: Sendable {
    case letters([LetterGroup])
    case rows(RowBatch)
    case search(LibrarySearch)
    case unavailable
  }

  var subject: Subject
  /// The title of the list. For a collection, the title of its row.
  let title: String
  var content: Content
  /// The cursor at which the shown rows begin. Nil at the beginning of the list.
  var cursor: String?
  /// True if the page contained rows before the library failed to answer. Then the page asks again for rows, and not
  /// for letters.
  var hadRows = false

  /// The list whose rows the page shows. Nil for a search.
  var node: LibraryNode? {
    switch subject {
    case .list(let node, _), .furtherLetters(let node, _): node
    case .collection(let row): row.node
    case .search: nil
    }
  }

  var heading: String? {
    switch subject {
    case .list(_, let heading), .furtherLetters(_, let heading): heading
    case .collection, .search: nil
    }
  }
}

/// A search with nine keys, each of which stands for several letters, as on a telephone.
struct LibrarySearch: Sendable {
  /// The pressed keys as digits. `0` separates two words.
  var presses = ""
  /// The rows that were found for the keys.
  var rows: [LibraryRow] = []
  /// True if an answer has arrived since the search began.
  var isAnswered = false

  /// The results in the order in which a page shows them: first the best result of each kind, then the other results.
  func results(_ limit: Int) -> [LibraryRow] {
    var best: [LibraryRow] = []
    var others: [LibraryRow] = []
    for row in rows {
      if best.contains(where: { $0.kind == row.kind }) {
        others.append(row)
      } else {
        best.append(row)
      }
    }
    return Array((best + others).prefix(limit))
  }
}
