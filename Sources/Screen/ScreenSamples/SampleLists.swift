internal import NowPlaying
internal import ScreenLayout

/// Invented lists that Now Playing shows.
enum SampleLists {
  private static func rows(_ count: Int, isEditable: Bool) -> [MenuRow] {
    (0..<count).map { index in
      let track = SampleTrack.queue[index % SampleTrack.queue.count]
      var row = MenuRow(
        id: "queue:\(index)",
        .picture(index == 0 ? .playing : MenuPicture(.note)),
        track.title, line: track.artist)
      row.duration = track.duration?.length
      if index == 0 { row.condition = .current } else if isEditable { row.key = .edit }
      return row
    }
  }

  private static let forward = MenuPaging(canGoBack: false, canGoForward: true, letter: "1–12")

  static let queue: MenuList = {
    var rows = Self.rows(6, isEditable: true)
    rows[2].condition = .absent
    rows[2].line = "Not plugged in"
    return MenuList("Up Next", line: "Saltlight · 1 / 30", .rows(rows, forward))
  }()

  static let edited: MenuList = {
    var rows = Self.rows(6, isEditable: true)
    rows[2].isEdited = true
    return MenuList("Up Next", line: "Saltlight · 1 / 30", .rows(rows, forward))
  }()

  static let parts = MenuList(
    "Up Next", line: "Saltlight · 1 / 30",
    .parts(["1–12", "13–24", "25–30"].map { MenuLetter($0) }))

  static let published = MenuList("Playing Next", .rows(rows(3, isEditable: false), nil))

  static let album = MenuList("Plateau", .rows(rows(3, isEditable: false), nil))
}
