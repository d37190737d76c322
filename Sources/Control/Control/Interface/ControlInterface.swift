package import EventLoop

/// The control socket's interfaces as data. `docs/control.md` has the same in its tables; a test
/// compares them. The number in a name changes when something that worked must be asked differently;
/// new methods, signals and names in an `a{sv}` may come without.
package enum ControlInterface {
  /// The one object.
  package static let path = "/org/autoharp"
  /// On the system's bus.
  package static let busName = "org.autoharp"
  /// Errors of ours: what was asked may not be, or cannot be now.
  package static let errorPrefix = "org.autoharp.Error."

  /// In the order of the document.
  package static let all = [nowPlaying, commands, surface, bluetooth, unit]

  /// What plays.
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

  /// What can be asked of it.
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
      .init("PlayQueueItem", [.init("id", "s")]),
    ])

  /// For whoever shows it.
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

  /// Phones: who is there, who may be paired, and what has to be answered.
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
      .init("Forget", [.init("phone", "s")]),
    ],
    signals: [.init("StateChanged", [.init("state", "a{sv}")])])

  /// The head unit itself.
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
      .init("BeginInterruption", [.init("name", "s")]),
      .init("EndInterruption", [.init("name", "s")]),
      .init("IsShellAllowed", returns: [.init("allowed", "b")]),
      .init("Reboot"), .init("PowerOff"),
    ],
    signals: [
      .init("LogLine", [.init("at", "x"), .init("severity", "y"), .init("text", "s")]),
      .init("TraceRecord", [.init("entry", "a{sv}")]),
      .init("Notice", [.init("kind", "s"), .init("about", "s")]),
      .init("FocusMoved", [.init("kind", "s"), .init("times", "u")]),
    ])
}
