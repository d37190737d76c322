internal import EventLoop

/// The D-Bus interface between the daemon and the process of the library. The process of the library
/// publishes one object on its connection to the daemon. No other program uses this interface.
enum LibraryInterface {
  /// The path of the object.
  static let path = "/org/autoharp/library"

  static let library = BusInterface(
    "org.autoharp.LibraryProcess1",
    methods: [
      .init("SetVolumes", [.init("volumes", "a\(VolumeCoding.volume)")]),
      .init("SetPreferredFolder", [.init("path", "ay")]),
      .init("Hold", [.init("isHeld", "b")]),
      .init("Rescan", [.init("volume", "s")]),
      .init("ReadAnew", [.init("volume", "s")]),
      .init("Forget", [.init("volume", "s")]),
      .init(
        "GetPage",
        [
          .init("node", "s"), .init("cursor", "s"), .init("heading", "s"), .init("limit", "u"),
        ],
        returns: [.init("page", RowCoding.page)]),
      .init(
        "GetLetters", [.init("node", "s"), .init("heading", "s")],
        returns: [.init("letters", RowCoding.letters)]),
      .init(
        "Search",
        [.init("query", "s"), .init("isByKeys", "b"), .init("kind", "s"), .init("limit", "u")],
        returns: [.init("rows", "a\(RowCoding.row)"), .init("more", "as")]),
      .init(
        "FindSimilar", [.init("text", "s"), .init("kind", "s"), .init("limit", "u")],
        returns: [.init("rows", "a\(RowCoding.row)"), .init("edits", "u")]),
      .init(
        "GetTracks",
        [.init("list", "s"), .init("row", "s"), .init("seed", "t"), .init("first", "u")],
        returns: [.init("tracks", TrackCoding.page)]),
      .init(
        "GetNeighbour", [.init("list", "s"), .init("parent", "s"), .init("isNext", "b")],
        returns: [.init("list", "s")]),
      .init(
        "GetEntries", [.init("volume", "s"), .init("path", "ay")],
        returns: [.init("rows", "as")]),
      .init(
        "FindMoved", [.init("volume", "s"), .init("paths", "aay")],
        returns: [
          .init("examined", "u"), .init("places", "au"), .init("volumes", "as"),
          .init("tracks", "a\(TrackCoding.track)"),
        ]),
      .init(
        "GetProblems", [.init("first", "u")],
        returns: [.init("problems", "a\(TrackCoding.problem)")]),
      .init("GetDoubts", returns: [.init("doubts", DoubtCoding.doubts)]),
      .init("GetThumbnail", [.init("row", "s")], returns: [.init("jpeg", "ay")]),
    ],
    signals: [.init("Changed", [.init("report", VolumeCoding.report)])])

  /// Maximum size of an answer, in bytes. It is below the limit of a message to the daemon, which is 64 KB
  /// with the header.
  static let answerBytes = 56 << 10
  /// Maximum bytes of a text in a row. A longer text is cut.
  static let textBytes = 1024
  /// Maximum bytes of a path below a volume. The kernel opens no longer path.
  static let pathBytes = 4096
  /// Maximum bytes of the identity of a volume. That of a folder has its path.
  static let identityBytes = 4096 + 64
  /// Maximum bytes of a cursor. The library makes none that it does not accept.
  static let cursorBytes = 4096
  /// Maximum bytes of a thumbnail.
  static let thumbnailBytes = 16 << 10
  /// Maximum number of rows of a page.
  static let maximumRows = 100
  /// Maximum number of headings of a list. They fit into an answer.
  static let maximumHeadings = 2000
  /// Maximum bytes of a heading.
  static let headingBytes = 64
  /// Maximum number of volumes that the library knows.
  static let maximumVolumes = 256
  /// Maximum number of causes for which files of a volume cannot be played.
  static let maximumCauses = 64
  /// Maximum duration of a song, in milliseconds: more than a month.
  static let maximumMilliseconds = 4_000_000_000
  /// The signatures of the answers, by the names of the methods.
  static let answers = Dictionary(
    uniqueKeysWithValues: library.methods.map { method in
      (method.name, method.results.reduce(into: "") { $0 += $1.signature })
    })

  /// Names of errors.
  enum ErrorName {
    static let unknownNode = "org.autoharp.Error.UnknownNode"
    static let noQuery = "org.autoharp.Error.NoQuery"
    static let failed = "org.autoharp.Error.Failed"
    static let unavailable = "org.autoharp.Error.Unavailable"
  }
}
