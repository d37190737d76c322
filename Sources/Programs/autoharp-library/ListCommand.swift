import LibraryDatabase
import LibraryModel
import NameKeys
import SQLite
import Text

/// Prints rows of a list of the library, or the headings of the list.
func list(_ request: Invocation.ListRequest, _ reader: LibraryReader) throws -> Int32 {
  guard let node = LibraryNode(text: request.node) else {
    reportError("there is no list '\(request.node)'")
    return 1
  }
  if request.isLetters {
    for group in try reader.letters(of: node, under: request.heading) {
      print("\(group.heading)  \(group.count)")
    }
    return 0
  }
  let batch = try reader.batch(
    node, cursor: request.cursor, limit: request.rows, heading: request.heading)
  for row in batch.rows { print(text(of: row)) }
  let end = batch.position + batch.rows.count
  print("\(batch.rows.isEmpty ? 0 : batch.position + 1) to \(end) of \(batch.count)")
  if let next = batch.next { print("next page: --from \(next)") }
  return 0
}

/// Prints the results of a search.
func find(_ wanted: Invocation.Query, _ reader: LibraryReader) throws -> Int32 {
  let query =
    switch wanted {
    case .text(let text): SearchQuery(text: text)
    case .keys(let keys): SearchQuery(keys: keys)
    }
  guard let query else {
    reportError("the query has no letters and no digits")
    return 2
  }
  let found = try reader.find(query)
  for row in found.rows { print("\(row.kind.rawValue): \(text(of: row))") }
  guard !found.rows.isEmpty else {
    reportError("nothing was found" + (try suggestion(wanted, reader)))
    return 1
  }
  return 0
}

private func suggestion(
  _ query: Invocation.Query, _ reader: LibraryReader
) throws(DatabaseError) -> String {
  guard case .text(let text) = query else { return "" }
  let kinds = SimilarRequest(text).kinds
  let similar = try reader.similar(to: text, kinds: kinds, limit: 1).rows.first
  return similar.map { "; did you mean '\(TextWidth.sanitized($0.title))'?" } ?? ""
}

private func text(of row: LibraryRow) -> String {
  var parts = [row.title]
  if let artist = row.artist { parts.append(artist) }
  if row.isVarious { parts.append("various artists") }
  if let detail = row.detail { parts.append(detail) }
  if row.year > 0 { parts.append("\(row.year)") }
  if row.count > 0 { parts.append("\(row.count) \(isOfSongs(row) ? "songs" : "albums")") }
  if row.isAbsent { parts.append("absent") }
  let node = row.node.map { " [\($0.text)]" } ?? ""
  return TextWidth.sanitized(parts.joined(separator: " · ")) + node
}

private func isOfSongs(_ row: LibraryRow) -> Bool { row.kind == .album || row.kind == .playlist }
