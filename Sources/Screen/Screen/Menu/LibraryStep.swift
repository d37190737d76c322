internal import LibraryModel
internal import Reports

/// A page below the first page of the library.
struct LibraryStep: Sendable {
  /// What the page is about.
  enum Subject: Equatable, Sendable {
    /// A list, or the part of it under a heading.
    case list(LibraryNode, heading: String?)
    /// The headings of a list that do not fit into one page of letters.
    case furtherLetters(LibraryNode, heading: String?)
    /// An album, an artist, a genre, or a playlist.
    case collection(LibraryRow)
    case search
  }

  /// What is known about it.
  enum Content: Sendable {
    case letters([LetterGroup])
    case rows(RowBatch)
    case search(LibrarySearch)
    case unavailable
  }

  var subject: Subject
  /// The title of the list; of a collection, the title of its row.
  let title: String
  var content: Content
  /// Where the shown page of rows begins; nil for the beginning of the list.
  var cursor: String?
  /// True if the page had rows when the library did not answer.
  var hadRows = false

  /// The list whose rows the page shows; nil for a search.
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

/// A search with nine keys.
struct LibrarySearch: Sendable {
  /// The pressed keys; `0` between two words.
  var presses = ""
  /// The rows that were found for the keys.
  var rows: [LibraryRow] = []
  /// True if an answer for some keys has arrived.
  var isAnswered = false

  /// The results in the order in which a page shows them: the best of each kind, then the others.
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
