internal import NowPlaying
internal import ScreenLayout

/// Invented lists of Now Playing.
enum SampleLists {
  private static func rows(_ count: Int, isEditable: Bool) -> [BrowseRow] {
    (0..<count).map { index in
      let track = SampleTrack.queue[index % SampleTrack.queue.count]
      var row = BrowseRow(
        id: "queue:\(index)",
        .picture(index == 0 ? .playing : BrowsePicture(.note)),
        track.title, line: track.artist)
      row.duration = track.duration?.length
      if index == 0 { row.condition = .current } else if isEditable { row.key = .edit }
      return row
    }
  }

  private static let forward = BrowsePaging(canGoBack: false, canGoForward: true, letter: "1–12")

  static let queue: BrowseList = {
    var rows = Self.rows(6, isEditable: true)
    rows[2].condition = .absent
    rows[2].line = "Not plugged in"
    return BrowseList("Up Next", line: "Saltlight · 1 / 30", .rows(rows, forward))
  }()

  static let edited: BrowseList = {
    var rows = Self.rows(6, isEditable: true)
    rows[2].isEdited = true
    return BrowseList("Up Next", line: "Saltlight · 1 / 30", .rows(rows, forward))
  }()

  static let parts = BrowseList(
    "Up Next", line: "Saltlight · 1 / 30",
    .parts(["1–12", "13–24", "25–30"].map { BrowseLetter($0) }))

  static let published = BrowseList("Playing Next", .rows(rows(3, isEditable: false), nil))

  static let album = BrowseList("Plateau", .rows(rows(3, isEditable: false), nil))
}
