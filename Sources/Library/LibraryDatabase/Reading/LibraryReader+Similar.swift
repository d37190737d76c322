internal import Files
public import LibraryModel
internal import NameKeys
public import SQLite
internal import Text

// Rows whose names are similar to a misspelt name.
extension LibraryReader {
  /// The maximum number of searches for one text. It limits the time of a call of `similar`.
  private static let maximumSearches = 32
  /// The maximum number of edits of all words together.
  private static let maximumEdits = 4

  /// The rows whose names are most similar to a text, best first. The number of edits is the same for all rows. Each
  /// word of the text can contain errors. As in a search, a word can match the title, the artist or the album.
  ///
  /// The first letter of a misspelt word is usually correct. So at first, only words with the same first letter are
  /// compared. If nothing was found, all words are compared. With 100 000 songs, the first comparison takes some
  /// milliseconds, the second 100 ms.
  ///
  /// - Parameters:
  ///   - kinds: the kinds of rows to find. If rows are equally similar, the row of the earlier kind comes first.
  ///   - limit: maximum number of rows, 1 … 100.
  public func similar(
    to text: String, kinds: [LibraryRow.Kind], limit: Int
  ) throws(DatabaseError) -> SimilarRows {
    let words = SearchWords.typed(text).prefix(SearchQuery.maximumWords)
    var spellings = words.map { WordSpellings($0) }
    var found = try similar(spellings, kinds, limit)
    for areAllCompared in [false, true] where found.rows.isEmpty {
      try addSpellings(to: &spellings, fromAll: areAllCompared)
      found = try similar(spellings, kinds, limit)
    }
    return found
  }

  private func similar(
    _ spellings: [WordSpellings], _ kinds: [LibraryRow.Kind], _ limit: Int
  ) throws(DatabaseError) -> SimilarRows {
    let limit = min(max(limit, 1), 100)
    var searches = 0
    for edits in 0...Self.maximumEdits {
      var found: [(row: LibraryRow, furtherWords: Int)] = []
      for combination in WordSpellings.combinations(spellings[...], edits: edits) {
        guard searches < Self.maximumSearches else { break }
        guard let query = SearchQuery(spellings: combination) else { continue }
        searches += 1
        for row in try find(query, limits: kinds.map { ($0, limit) }).rows
        where !found.contains(where: { $0.row.kind == row.kind && $0.row.id == row.id }) {
          found.append((row, query.furtherWords(of: FoldedName(row.title))))
        }
      }
      guard found.isEmpty else {
        return SimilarRows(rows: Self.sorted(found, kinds, limit), edits: edits)
      }
    }
    return SimilarRows()
  }

  private static func sorted(
    _ found: [(row: LibraryRow, furtherWords: Int)], _ kinds: [LibraryRow.Kind], _ limit: Int
  ) -> [LibraryRow] {
    func rank(_ index: Int) -> (Int, Int, Int) {
      let kind = kinds.firstIndex(of: found[index].row.kind) ?? kinds.count
      return (found[index].furtherWords, kind, index)
    }
    return found.indices.sorted { rank($0) < rank($1) }.prefix(limit).map { found[$0].row }
  }

  /// Adds similar words from the index of words.
  /// - Parameter fromAll: true to compare all words of the index. False to compare only words that begin with the first
  ///   letter of one of `words`.
  private func addSpellings(
    to words: inout [WordSpellings], fromAll: Bool
  ) throws(DatabaseError) {
    guard words.contains(where: \.mayHaveErrors) else { return }
    // The table `vocabulary` is a view of the index, and stores no data. It exists only in this connection.
    try database.execute(
      """
      PRAGMA query_only = OFF;
      CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, row);
      PRAGMA query_only = ON
      """)
    let select = try statement(
      "SELECT term, doc FROM temp.vocabulary WHERE term >= ?1 AND term < ?2")
    let beginnings: Set<String> =
      fromAll ? [""] : Set(words.filter(\.mayHaveErrors).map(\.firstLetter))
    for index in words.indices { words[index].removeAll() }
    for beginning in beginnings {
      try select.execute(.text(beginning), .text(beginning + "\u{10FFFF}")) {
        row throws(DatabaseError) in
        let term = row.text(0)
        for index in words.indices { words[index].add(term, rows: Int(row.integer(1))) }
        return true
      }
    }
  }
}

/// A word of a text, and the similar words of the library.
private struct WordSpellings {
  /// The maximum number of similar words for each number of edits. The most frequent words are kept.
  private static let maximumWords = 12

  private var word: WrittenWord
  /// For each number of edits, the words with this number of edits.
  private var similar: [Int: [(word: String, rows: Int)]] = [:]

  init(_ word: String) { self.word = WrittenWord(word) }

  var mayHaveErrors: Bool { word.maximumEdits > 0 }
  var firstLetter: String { String(word.text.unicodeScalars.prefix(1)) }

  mutating func removeAll() { similar = [:] }

  mutating func add(_ other: String, rows: Int) {
    guard let edits = word.edits(to: other), edits > 0 else { return }
    similar[edits, default: []].append((other, rows))
    if similar[edits, default: []].count > 4 * Self.maximumWords { keepMostFrequent(edits) }
  }

  private mutating func keepMostFrequent(_ edits: Int) {
    similar[edits]?.sort { ($1.rows, $0.word) < ($0.rows, $1.word) }
    similar[edits] = similar[edits].map { Array($0.prefix(Self.maximumWords)) }
  }

  /// The word itself if `edits` is 0, otherwise the similar words with this number of edits. Nil if there are no such
  /// words.
  private func spelling(edits: Int) -> SearchQuery.Spelling? {
    if edits == 0 { return .written(word.text) }
    var copy = self
    copy.keepMostFrequent(edits)
    return copy.similar[edits].map { .anyOf($0.map(\.word)) }
  }

  /// All combinations with one spelling for each word. In each combination, the edits of all words add up to `edits`.
  static func combinations(
    _ words: ArraySlice<WordSpellings>, edits: Int
  ) -> [[SearchQuery.Spelling]] {
    guard let first = words.first else { return edits == 0 ? [[]] : [] }
    return (0...min(edits, first.word.maximumEdits)).flatMap { own in
      guard let spelling = first.spelling(edits: own) else { return [[SearchQuery.Spelling]]() }
      return combinations(words.dropFirst(), edits: edits - own).map { [spelling] + $0 }
    }
  }
}

// Probable errors in tags and playlists.
extension LibraryReader {
  /// Finds probable errors in tags and playlists. Reads all songs and all entries of playlists, which takes some tenths
  /// of a second with 100 000 songs.
  public func doubts() throws(DatabaseError) -> LibraryDoubts {
    let labels = try labels()
    var parts: [LibraryDoubts.Part] = []
    for kind in LibraryDoubts.Kind.allCases { parts.append(try doubts(kind, labels)) }
    return LibraryDoubts(parts)
  }

  private func doubts(
    _ kind: LibraryDoubts.Kind, _ labels: [String: String]
  ) throws(DatabaseError) -> LibraryDoubts.Part {
    var part = LibraryDoubts.Part(kind)
    var folders: [Int64: FolderPath] = [:]
    func path(_ folder: Int64, _ name: [UInt8] = []) throws(DatabaseError) -> String {
      let path = try folderPath(folder, &folders, depth: 0)
      return (labels[path.volume] ?? path.volume) + "/" + FileName.text(path.path + name)
    }
    try statement(Self.question(kind)).execute { row throws(DatabaseError) in
      part.count += 1
      guard part.examples.count < LibraryDoubts.maximumExamples else { return true }
      let example: LibraryDoubts.Example
      switch kind {
      case .dividedAlbums:
        example = .init(name: row.text(1), detail: try path(row.integer(0)))
      case .songsWithoutTags: example = .init(name: try path(row.integer(0), row.bytes(1)))
      case .missingEntries: example = .init(name: row.text(0), detail: row.text(1))
      case .sortNames:
        example = .init(
          name: LibraryWriter.joined(row.text(0)), detail: row.text(1) + " / " + row.text(2))
      }
      part.examples.append(example)
      return true
    }
    return part
  }

  private static func question(_ kind: LibraryDoubts.Kind) -> String {
    switch kind {
    case .dividedAlbums:
      """
      SELECT grouping.folder, grouping.title FROM track JOIN grouping ON grouping.id = track.grouping
      WHERE grouping.title IS NOT NULL GROUP BY grouping.folder, grouping.title
      HAVING min(track.album) <> max(track.album)
      """
    case .songsWithoutTags:
      """
      SELECT file.folder, file.name FROM track JOIN grouping ON grouping.id = track.grouping
      JOIN file ON file.id = track.id & 0xFFFFFFFFFF
      WHERE track.artists IS NULL AND grouping.artists IS NULL AND grouping.title IS NULL
      """
    case .missingEntries:
      """
      SELECT coalesce(entry.title, entry.path), playlist.title
      FROM entry JOIN playlist ON playlist.id = entry.playlist WHERE entry.track IS NULL
      """
    case .sortNames:
      """
      SELECT artists, min(sortartist), max(sortartist) FROM grouping
      WHERE artists IS NOT NULL AND sortartist IS NOT NULL GROUP BY artists
      HAVING min(sortartist) <> max(sortartist)
      """
    }
  }

  /// The labels of the volumes, keyed by the identity of the volume.
  private func labels() throws(DatabaseError) -> [String: String] {
    var labels: [String: String] = [:]
    try statement("SELECT identity, label FROM volume").execute { row throws(DatabaseError) in
      labels[row.text(0)] = row.text(1)
      return true
    }
    return labels
  }
}
