internal import NowPlaying
internal import ScreenLayout

extension QueuePage {
  /// What the daemon has told about the content that plays and what follows.
  struct Facts: Sendable {
    var capacity: MenuCapacity
    /// The rows that can be reached by turning pages; nil for all.
    var limit: RowLimit?
    /// The title that the source has for *Up Next*; nil for the usual one.
    var title: String?
    /// True if the queue of the unit plays.
    var isQueue = false
    /// The identity of the content that plays.
    var current: String?
    var upNext: [UpNextItem] = []
    private var currentRow: MenuRow?

    init(_ state: NowPlayingState, _ capacity: MenuCapacity, limit: RowLimit?) {
      self.capacity = capacity
      self.limit = limit
      if case .title(let title) = state.template.upNext { self.title = title }
      isQueue = state.session?.rawValue == "local"
      current = state.content?.id
      upNext = state.upNext
      guard let content = state.content else { return }
      var row = MenuRow(
        id: content.id, .picture(.playing), state.lines.title ?? "",
        line: state.lines.subtitle)
      row.duration = state.duration?.length
      row.condition = .current
      currentRow = row
    }

    /// What the source publishes: the content that plays, and what follows.
    func published(_ words: LocalizedWords) -> [MenuRow] {
      let rows =
        [currentRow].compactMap(\.self)
        + upNext.map { item in
          var row = MenuRow(
            id: item.id, .picture(MenuPicture(.note)), item.title, line: item.artist)
          row.duration = item.duration
          return row
        }
      return RowWindow.limited(rows, to: limit, words)
    }
  }
}
