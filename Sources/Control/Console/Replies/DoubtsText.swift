internal import LibraryModel
internal import Text

extension LibraryDoubts {
  func lines(_ style: ReplyStyle) -> [String] {
    let found = parts.filter { $0.count > 0 }
    guard !found.isEmpty else { return ["Nothing is doubtful."] }
    return found.flatMap { part in
      [style.strong("\(part.kind.words): \(part.count)")]
        + part.examples.map { example in
          let text = [example.name, example.detail].filter { !$0.isEmpty }.joined(separator: " · ")
          return "  " + style.cut(style.sanitized(text), to: style.columns - 3)
        } + (part.examples.count < part.count ? ["  ..."] : [])
    }
  }

  func write(to json: inout JSONWriter) {
    json.beginArray()
    for part in parts {
      json.beginObject()
      json.member("kind", part.kind.rawValue)
      json.member("count", part.count)
      json.key("examples")
      json.beginArray()
      for example in part.examples {
        json.beginObject()
        json.member("name", example.name)
        json.member("detail", example.detail)
        json.endObject()
      }
      json.endArray()
      json.endObject()
    }
    json.endArray()
  }
}

extension LibraryDoubts.Kind {
  fileprivate var words: String {
    switch self {
    case .dividedAlbums: "Folders in which several albums have the same title"
    case .songsWithoutTags: "Songs without artist and album"
    case .missingEntries: "Entries of playlists without a file"
    case .sortNames: "Album artists with several names for sorting"
    }
  }
}
