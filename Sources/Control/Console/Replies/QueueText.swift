internal import Reports
internal import Text

extension QueueReport {
  func lines(_ style: ReplyStyle) -> [String] {
    guard count > 0 else { return ["The queue is empty."] }
    var facts = ["\(count) track\(count == 1 ? "" : "s")"]
    if !title.isEmpty { facts.append("from \(style.sanitized(title))") }
    if absent > 0 { facts.append("\(absent) absent") }
    if isShuffled { facts.append("shuffled") }
    let width = "\(first + entries.count)".count
    let heading = style.plain(facts.joined(separator: " · "))
    let next = first + entries.count + 1
    let rest = next <= count ? [style.plain("\(count - next + 1) more: 'queue \(next)'")] : []
    return [style.cut(heading, to: style.columns - 1)]
      + entries.enumerated().map { index, entry in
        let row = first + index
        let number = TextWidth.rightAligned("\(row + 1)", to: width)
        let mark = row == position ? ">" : " "
        let text = style.cut(style.sanitized(entry.words), to: style.columns - width - 5)
        let line = "\(mark) \(number)  "
        if row == position { return line + style.strong(text) }
        return line + (entry.isAbsent ? style.faint(text) : text)
      } + rest
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("revision", revision)
    json.member("count", count)
    json.member("absent", absent)
    json.member("position", position.map { $0 + 1 })
    json.member("list", list)
    json.member("title", title)
    json.member("isShuffled", isShuffled)
    json.member("canUndo", canUndo)
    json.key("entries")
    json.beginArray()
    for (index, entry) in entries.enumerated() {
      json.beginObject()
      json.member("place", first + index + 1)
      json.member("id", "queue:\(entry.id)")
      json.member("title", entry.title)
      json.member("artist", entry.artist)
      json.member("album", entry.album)
      json.member("seconds", entry.duration.map { $0 / .seconds(1) })
      json.member("isAbsent", entry.isAbsent)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }
}

extension QueueReport.Entry {
  fileprivate var words: String {
    var parts = [title]
    if let artist { parts.append(artist) }
    if let duration { parts.append(TimeText.clock(duration / .seconds(1))) }
    if isAbsent { parts.append("absent") }
    return parts.joined(separator: " · ")
  }
}

extension [RecentReport] {
  func lines(_ style: ReplyStyle) -> [String] {
    guard !isEmpty else { return ["No other list was played yet."] }
    let width = "\(count)".count
    return enumerated().map { index, recent in
      let number = TextWidth.rightAligned("\(index + 1)", to: width)
      var parts = [recent.title.isEmpty ? recent.list : recent.title, recent.song]
      parts.append(TimeText.clock(recent.elapsed / .seconds(1)))
      if recent.isAbsent { parts.append("absent") }
      let text = style.cut(
        style.sanitized(parts.joined(separator: " · ")), to: style.columns - width - 3)
      return "\(number)  " + (recent.isAbsent ? style.faint(text) : text)
    }
  }

  func write(to json: inout JSONWriter) {
    json.beginArray()
    for recent in self {
      json.beginObject()
      json.member("list", recent.list)
      json.member("title", recent.title)
      json.member("song", recent.song)
      json.member("seconds", recent.elapsed / .seconds(1))
      json.member("isAbsent", recent.isAbsent)
      json.endObject()
    }
    json.endArray()
  }
}
