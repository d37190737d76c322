package import EventLoop

/// The D-Bus interfaces of the control socket. `docs/control.md` contains the same tables, and a
/// test compares both. An incompatible change increases the number in the name of an interface. New
/// methods, signals and names in an `a{sv}` do not increase the number.
package enum ControlInterface {
  /// The path of the only object.
  package static let path = "/org/autoharp"
  /// The prefix of Autoharp's error names, for refusals and failures.
  package static let errorPrefix = "org.autoharp.Error."

  /// The queue among the names of lists. Only `GetLetters` takes this name.
  static let queueList = "queue"

  /// All interfaces, in the order of `docs/control.md`.
  package static let all = [
    nowPlaying, commands, surface, library, sources, bluetooth, settings, unit,
  ]

  /// The state, the covers and the album of Now Playing.
  package static let nowPlaying = BusInterface(
    "org.autoharp.NowPlaying1",
    methods: [
      .init("GetState", returns: [.init("state", "a{sv}")]),
      .init("Subscribe", returns: [.init("state", "a{sv}")]),
      .init("Unsubscribe"),
      .init(
        "GetArtwork", [.init("content", "s"), .init("width", "u"), .init("height", "u")],
        returns: [.init("answer", "s"), .init("picture", "a{sv}")]),
      .init(
        "GetButtonPicture", [.init("name", "s")],
        returns: [.init("format", "s"), .init("bytes", "ay")]),
      .init("GetAlbum", returns: [.init("title", "s"), .init("items", "aa{sv}")]),
    ],
    signals: [.init("StateChanged", [.init("state", "a{sv}")])])

  /// Commands to the source that plays.
  package static let commands = BusInterface(
    "org.autoharp.Commands1",
    methods: [
      .init(
        "Send", [.init("command", "s"), .init("arguments", "a{sv}"), .init("options", "a{sv}")],
        returns: [
          .init("number", "t"), .init("answer", "s"), .init("words", "s"), .init("code", "s"),
          .init("remedy", "s"),
        ]),
      .init("Play"), .init("Pause"), .init("Toggle"), .init("Stop"), .init("Next"),
      .init("Previous"),
      .init("Seek", [.init("seconds", "d")]),
      .init("Skip", [.init("seconds", "d")]),
      .init("SetVolume", [.init("percent", "d")]),
      .init("ChangeVolume", [.init("percent", "d")]),
      .init("Mute", [.init("on", "b")]),
      .init("SetRepeat", [.init("mode", "s")]),
      .init("SetShuffle", [.init("mode", "s")]),
      .init("Like", [.init("on", "b")]),
      .init("Dislike", [.init("on", "b")]),
      .init("Bookmark", [.init("on", "b")]),
      .init("SetStars", [.init("stars", "d")]),
      .init("PlayQueueItem", [.init("id", "s")]),
    ])

  /// The interface for clients that are surfaces.
  package static let surface = BusInterface(
    "org.autoharp.Surface1",
    methods: [
      .init(
        "Register", [.init("name", "s"), .init("showsTemplate", "b")],
        returns: [.init("state", "a{sv}")]),
      .init("Unregister"),
      .init("Observed", [.init("shown", "a{sv}")], returns: [.init("verdict", "s")]),
      .init("CheckChannel"),
      .init("ConfirmShown", [.init("token", "t")]),
      .init("ReturnToken", [.init("token", "t")]),
    ],
    signals: [.init("ChannelToken", [.init("token", "t")])])

  /// The lists of the library, and searches in it.
  package static let library = BusInterface(
    "org.autoharp.Library1",
    methods: [
      .init("GetRoot", returns: [.init("state", "a{sv}")]),
      .init("Subscribe", returns: [.init("state", "a{sv}")]),
      .init("Unsubscribe"),
      .init(
        "GetPage",
        [
          .init("node", "s"), .init("cursor", "s"), .init("limit", "u"), .init("options", "a{sv}"),
        ],
        returns: [
          .init("revision", "t"), .init("rows", "aa{sv}"), .init("next", "s"),
          .init("previous", "s"), .init("count", "u"), .init("position", "u"),
        ]),
      .init(
        "GetLetters", [.init("node", "s"), .init("prefix", "s")],
        returns: [.init("letters", "a(su)")]),
      .init(
        "Search",
        [
          .init("query", "s"), .init("number", "t"), .init("limit", "u"),
          .init("options", "a{sv}"),
        ],
        returns: [.init("number", "t"), .init("rows", "aa{sv}"), .init("more", "as")]),
      .init(
        "FindSimilar",
        [.init("text", "s"), .init("limit", "u"), .init("options", "a{sv}")],
        returns: [.init("rows", "aa{sv}")]),
      .init("Play", [.init("list", "s"), .init("row", "s"), .init("how", "s")]),
      .init("GetRecent", [.init("limit", "u")], returns: [.init("rows", "aa{sv}")]),
      .init(
        "GetQueue", [.init("first", "u"), .init("limit", "u")],
        returns: [.init("revision", "t"), .init("rows", "aa{sv}"), .init("queue", "a{sv}")]),
      .init(
        "MoveQueueItem",
        [.init("revision", "t"), .init("item", "s"), .init("before", "s")]),
      .init("RemoveQueueItem", [.init("revision", "t"), .init("item", "s")]),
      .init("ClearQueue", [.init("revision", "t")]),
      .init("UndoQueue", [.init("revision", "t")]),
      .init(
        "GetItemArtwork", [.init("id", "s"), .init("width", "u"), .init("height", "u")],
        returns: [.init("format", "s"), .init("bytes", "ay")]),
      .init("GetDoubts", returns: [.init("doubts", "a(sua(ss))")]),
      .init("SavePlaylist", [.init("name", "s")]),
      .init("AddToPlaylist", [.init("name", "s"), .init("list", "s"), .init("row", "s")]),
      .init("RemoveFromPlaylist", [.init("name", "s"), .init("row", "s")]),
      .init("RenamePlaylist", [.init("name", "s"), .init("new", "s")]),
      .init("DeletePlaylist", [.init("name", "s")]),
    ],
    signals: [.init("Changed", [.init("state", "a{sv}")])])

  /// The places with music.
  package static let sources = BusInterface(
    "org.autoharp.Sources1",
    methods: [
      .init("GetSources", returns: [.init("sources", "aa{sv}")]),
      .init("Subscribe", returns: [.init("sources", "aa{sv}")]),
      .init("Unsubscribe"),
      .init("Choose", [.init("source", "s")]),
      .init("Rescan", [.init("source", "s")]),
      .init("ReadAnew", [.init("source", "s")]),
      .init("Forget", [.init("source", "s")]),
    ],
    signals: [.init("Changed", [.init("sources", "aa{sv}")])])

  /// Phones, pairing and pairing requests.
  package static let bluetooth = BusInterface(
    "org.autoharp.Bluetooth1",
    methods: [
      .init("GetState", returns: [.init("state", "a{sv}")]),
      .init("Subscribe", returns: [.init("state", "a{sv}")]),
      .init("Unsubscribe"),
      .init("OpenPairing", [.init("seconds", "u")]),
      .init("ClosePairing"),
      .init("Find", [.init("seconds", "u")]),
      .init("Add", [.init("device", "s")], returns: [.init("words", "s")]),
      .init("AcceptPairing", [.init("request", "t")]),
      .init("RejectPairing", [.init("request", "t")]),
      .init("Connect", [.init("phone", "s")], returns: [.init("words", "s")]),
      .init("Disconnect", [.init("phone", "s")]),
      .init("Rename", [.init("phone", "s"), .init("name", "s")]),
      .init("SetFirstChoice", [.init("phone", "s")]),
      .init("Forget", [.init("phone", "s")]),
    ],
    signals: [.init("StateChanged", [.init("state", "a{sv}")])])

  /// The settings of the driver, and the time of day.
  package static let settings = BusInterface(
    "org.autoharp.Settings1",
    methods: [
      .init("GetSettings", returns: [.init("state", "a{sv}")]),
      .init("Subscribe", returns: [.init("state", "a{sv}")]),
      .init("Unsubscribe"),
      .init(
        "Set", [.init("key", "s"), .init("value", "s")], returns: [.init("setting", "a{sv}")]),
      .init("Reset", [.init("key", "s")], returns: [.init("setting", "a{sv}")]),
      .init("SetTime", [.init("seconds", "x")]),
    ],
    signals: [.init("Changed", [.init("state", "a{sv}")])])

  /// Facts, diagnosis, log, trace and power of the head unit.
  package static let unit = BusInterface(
    "org.autoharp.Unit1",
    methods: [
      .init(
        "GetFacts", [.init("topic", "s")],
        returns: [.init("sections", ReportCoding.factsSignature)]),
      .init(
        "GetLatency",
        returns: [.init("bounds", "ax"), .init("rows", ReportCoding.latencySignature)]),
      .init(
        "Diagnose", [.init("symptom", "s")],
        returns: [
          .init("findings", ReportCoding.findingsSignature),
          .init("walks", ReportCoding.pathsSignature),
        ]),
      .init("GetTrace", [.init("limit", "u")], returns: [.init("entries", "aa{sv}")]),
      .init("GetLog", [.init("limit", "u")], returns: [.init("lines", "a(xys)")]),
      .init("Follow", [.init("what", "as")]),
      .init("PlayChime"),
      .init("BeginInterruption", [.init("name", "s"), .init("options", "a{sv}")]),
      .init("EndInterruption", [.init("name", "s"), .init("options", "a{sv}")]),
      .init("BeginDuck", [.init("name", "s"), .init("options", "a{sv}")]),
      .init("EndDuck", [.init("name", "s")]),
      .init("SetParked", [.init("state", "s")]),
      .init("IsShellAllowed", returns: [.init("allowed", "b")]),
      .init("EndSafeMode"),
      .init("ErasePersonalData"), .init("Reboot"), .init("PowerOff"),
    ],
    signals: [
      .init("LogLine", [.init("at", "x"), .init("severity", "y"), .init("text", "s")]),
      .init("TraceRecord", [.init("entry", "a{sv}")]),
      .init("Notice", [.init("kind", "s"), .init("about", "s")]),
      .init("FilesUnplayable", [.init("files", "a{sv}")]),
      .init("FocusMoved", [.init("kind", "s"), .init("times", "u")]),
      .init("VehicleChanged", [.init("state", "a{sv}")]),
    ])
}
