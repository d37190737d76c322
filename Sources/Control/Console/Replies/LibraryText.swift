package import LibraryModel
internal import Reports
internal import Text

/// Rows of a list of the library, for a reply.
package struct LibraryListing: Equatable, Sendable {
  /// The heading above the rows. Nil if the reply has no heading.
  package var title: String?
  package var rows: [LibraryRow]
  /// The number of rows of the whole list. ``rows`` can contain fewer rows.
  package var count: Int

  /// - Parameter node: the list. In the list of an album, the rows of the songs do not repeat the title of the album.
  package init(title: String? = nil, rows: [LibraryRow], of node: LibraryNode, count: Int) {
    self.title = title
    self.rows = rows
    self.count = count
    if case .album = node {
      for index in rows.indices where rows[index].kind == .song { self.rows[index].detail = nil }
    }
  }

  func lines(_ style: ReplyStyle) -> [String] {
    guard !rows.isEmpty else { return ["The list is empty."] }
    var lines = title.map { [style.strong(style.sanitized($0))] } ?? []
    let width = "\(rows.count)".count + 2
    for (index, row) in rows.enumerated() {
      let number = TextWidth.rightAligned("\(index + 1)", to: width - 1)
      let text = style.cut(style.sanitized(row.words), to: style.columns - width - 3)
      let line = (row.isCurrent ? ">" : " ") + number + "  "
      if row.isCurrent {
        lines.append(line + style.strong(text))
      } else {
        lines.append(line + (row.isPlayable ? text : style.faint(text)))
      }
    }
    if rows.count < count {
      lines.append("1 to \(rows.count) of \(count)")
    }
    return lines
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("title", title)
    json.member("count", count)
    json.key("rows")
    json.beginArray()
    for row in rows { row.write(to: &json) }
    json.endArray()
    json.endObject()
  }
}

extension LibraryRow {
  /// The row in words, on one line.
  package var words: String {
    var parts = [title]
    if isVarious { parts.append("various artists") }
    if let artist { parts.append(artist) }
    if let detail { parts.append(detail) }
    if year > 0 { parts.append("\(year)") }
    if count > 0 {
      let isOfSongs = kind == .album || kind == .playlist
      parts.append("\(count) \(isOfSongs ? "song" : "album")\(count == 1 ? "" : "s")")
    }
    if kind == .song, milliseconds > 0 { parts.append(TimeText.clock(Double(milliseconds) / 1000)) }
    if let bookmark { parts.append("from \(TimeText.clock(Double(bookmark) / 1000))") }
    if isAbsent { parts.append("absent") }
    return parts.joined(separator: " · ") + (kind == .folder ? "/" : "")
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", identifier)
    json.member("kind", kind.rawValue)
    json.member("title", title)
    json.member("artist", artist)
    json.member(kind == .problem ? "reason" : "album", detail)
    json.member("isVarious", isVarious)
    json.member("count", count)
    json.member("seconds", Double(milliseconds) / 1000)
    json.member("place", bookmark.map { Double($0) / 1000 })
    json.member("disc", disc)
    json.member("number", number)
    json.member("year", year)
    json.member("isPlayable", isPlayable)
    json.member("isAbsent", isAbsent)
    json.member("isCurrent", isCurrent)
    json.endObject()
  }
}

extension LibraryState {
  func lines(_ style: ReplyStyle) -> [String] {
    var lines: [String] = []
    switch condition {
    case .unavailable: lines.append(style.paint("The library is not available.", .bad))
    case .ready: lines.append("\(songs) songs")
    case .scanning(let read, let all):
      lines.append(
        "\(songs) songs" + (all > 0 ? ", \(read) of \(all) files are read" : ", names are read"))
    }
    for volume in volumes {
      let report = volume.report
      let name = style.cut(style.sanitized(report.label), to: 24)
      var words =
        switch volume.kind {
        case .phone: ["phone"]
        case .app: ["program"]
        case .folder, .stick: ["\(report.songs) songs"]
        }
      if volume.plays { words.append(volume.app.map { "plays (\($0))" } ?? "plays") }
      let links = report.causes["link"] ?? 0
      if report.problems > links {
        words.append("\(report.problems - links) files cannot be played")
      }
      if links > 0 {
        words.append(links == 1 ? "1 link leads outside" : "\(links) links lead outside")
      }
      if report.wasCut { words.append("has more files than the library reads") }
      if let reason = volume.reason {
        words += [reason, volume.remedy].compactMap(\.self).map { style.sanitized($0) }
      } else {
        words.append(report.condition.words)
      }
      if let path = volume.path { words.append(style.sanitized(path)) }
      lines.append(
        style.mark(report.condition.grade) + TextWidth.padded(name, to: 25)
          + style.plain(words.filter { !$0.isEmpty }.joined(separator: " · ")))
    }
    return lines
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("condition", word)
    json.member("songs", songs)
    json.member("revision", revision)
    json.key("sources")
    json.beginArray()
    for volume in volumes {
      json.beginObject()
      json.member("id", volume.report.identity)
      json.member("kind", volume.kind.rawValue)
      json.member("name", volume.report.label)
      json.member("path", volume.path)
      json.member("songs", volume.report.songs)
      json.member("problems", volume.report.problems)
      json.member("links", volume.report.causes["link"] ?? 0)
      json.member("condition", volume.report.condition.word)
      if volume.kind == .phone || volume.kind == .app {
        json.member("plays", volume.plays)
        json.member("app", volume.app)
      }
      json.member("reason", volume.reason)
      json.member("remedy", volume.remedy)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  private var word: String {
    switch condition {
    case .unavailable: "unavailable"
    case .ready: "ready"
    case .scanning: "scanning"
    }
  }
}

extension VolumeReport.Condition {
  fileprivate var word: String {
    switch self {
    case .ready: "ready"
    case .waiting: "waiting"
    case .listing: "listing"
    case .reading: "reading"
    case .absent: "absent"
    case .unreadable: "unreadable"
    case .empty: "empty"
    case .refused: "refused"
    }
  }

  fileprivate var words: String {
    switch self {
    case .ready: ""
    case .waiting: "waits for its scan"
    case .listing(let files): "\(files) files found"
    case .reading(let read, let files): "\(read) of \(files) files read"
    case .absent: "absent"
    case .unreadable: "cannot be read"
    case .empty: "has no files"
    case .refused: "the library cannot store its songs"
    }
  }

  fileprivate var grade: Grade {
    switch self {
    case .ready: .good
    case .waiting, .listing, .reading, .absent, .empty: .plain
    case .unreadable, .refused: .bad
    }
  }
}

extension [LetterGroup] {
  /// The headings, each with its number of rows, in columns.
  func lines(_ style: ReplyStyle) -> [String] {
    let cells = map { "\(style.sanitized($0.heading)) \($0.count)" }
    let width = (cells.map { TextWidth.columns(of: $0) }.max() ?? 0) + 3
    let across = Swift.max(1, (style.columns - 1) / width)
    return stride(from: 0, to: cells.count, by: across).map { start in
      cells[start..<Swift.min(start + across, cells.count)]
        .map { TextWidth.padded($0, to: width) }.joined()
    }
  }

  func write(to json: inout JSONWriter) {
    json.beginArray()
    for group in self {
      json.beginObject()
      json.member("heading", group.heading)
      json.member("count", group.count)
      json.endObject()
    }
    json.endArray()
  }
}

extension LibraryFindings {
  func lines(_ style: ReplyStyle) -> [String] {
    LibraryRow.Kind.allCases.flatMap { kind -> [String] in
      let rows = rows.filter { $0.kind == kind }
      guard !rows.isEmpty else { return [] }
      return [style.strong(kind.heading)]
        + rows.map { row in
          let text = style.cut(style.sanitized(row.words), to: style.columns - 3)
          return "  " + (row.isPlayable ? text : style.faint(text))
        } + (more.contains(kind) ? ["  ..."] : [])
    }
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.key("rows")
    json.beginArray()
    for row in rows { row.write(to: &json) }
    json.endArray()
    json.key("more")
    json.beginArray()
    for kind in more.map(\.rawValue).sorted() { json.value(kind) }
    json.endArray()
    json.endObject()
  }
}

extension LibraryRow.Kind {
  fileprivate var heading: String {
    switch self {
    case .artist: "Artists"
    case .album: "Albums"
    case .song: "Songs"
    case .genre: "Genres"
    case .playlist: "Playlists"
    case .folder: "Folders"
    case .problem: "Files that cannot be played"
    }
  }
}
