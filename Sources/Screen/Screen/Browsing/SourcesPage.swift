internal import LibraryModel
internal import ScreenLayout

/// The page of the places with music: sticks, the unit's own music, and phones.
struct SourcesPage: Sendable {
  private var window = RowWindow()

  mutating func turn(_ direction: BrowsePaging.Direction, _ capacity: BrowseCapacity) {
    window.turn(direction, capacity)
  }

  func page(_ words: LocalizedWords, _ sources: [MusicSource], _ capacity: BrowseCapacity)
    -> BrowsePage
  {
    guard !sources.isEmpty else {
      return BrowsePage(
        .sources, .message(BrowseMessage(.note, words.browse.noMusic, words.browse.noMusicDetail)))
    }
    // What plays comes first, and what is absent comes last.
    let ordered =
      sources.filter(\.plays) + sources.filter { !$0.plays && $0.volume.condition != .absent }
      + sources.filter { !$0.plays && $0.volume.condition == .absent }
    return BrowsePage(.sources, window.content(ordered.map { Self.row($0, words) }, capacity))
  }

  private static func row(_ source: MusicSource, _ words: LocalizedWords) -> BrowseRow {
    let volume = source.volume
    let symbol: Symbol =
      switch source.kind {
      case .stick: volume.condition == .absent ? .stickAbsent : .stick
      case .folder: .note
      case .phone: .phone
      }
    let title = source.kind == .folder ? words.browse.builtIn : volume.label
    var row = BrowseRow(id: volume.identity, .picture(BrowsePicture(symbol)), title)
    (row.line, row.tone) = line(source, words)
    if source.plays { row.condition = .current }
    switch volume.condition {
    case .reading(let read, let all) where all > 0: row.progress = Double(read) / Double(all)
    // A phone that is not connected can be chosen: the unit then connects it.
    case .absent where source.kind != .phone: row.condition = .absent
    case .empty, .refused, .unreadable: row.condition = .inert
    default: break
    }
    return row
  }

  private static func line(_ source: MusicSource, _ words: LocalizedWords)
    -> (String, BrowseRow.Tone)
  {
    let browse = words.browse
    let volume = source.volume
    let songs = source.kind == .phone ? source.app : browse.songCount(volume.songs)
    if source.plays {
      return ([browse.plays, songs].compactMap(\.self).joined(separator: " · "), .good)
    }
    switch volume.condition {
    case .ready: return (songs ?? browse.connected, .usual)
    case .waiting: return (browse.waits, .usual)
    case .listing(let count): return ("\(browse.reading) \(count)", .usual)
    case .reading(let read, let all): return ("\(browse.reading) \(read) / \(all)", .usual)
    case .absent: return (source.kind == .phone ? browse.notConnected : browse.comesBack, .usual)
    case .unreadable: return (browse.cannotBeRead, .warning)
    case .empty: return (browse.nothingOnIt, .usual)
    case .refused: return (browse.noRoom, .warning)
    }
  }
}
