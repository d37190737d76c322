import Control
import EventLoop
import LibraryModel
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// Compares the values on the wire with golden files, for each method and signal. Other programs depend on these
/// values, so they must not change: an incompatible change needs a new interface.
@Suite struct WireRecordingTests {
  private typealias Sample = WireRecorder.Sample
  private typealias Samples = [(interface: BusInterface, samples: [Sample])]

  private static let empty = BusValue.properties([])
  private static let phone = BusValue.string("AA:BB:CC:DD:EE:FF")

  private static var all: Samples {
    [
      (NowPlaying1.interface.declaration, nowPlaying), (Commands1.interface.declaration, commands),
      (Surface1.interface.declaration, surface), (Library1.interface.declaration, library),
      (Sources1.interface.declaration, sources), (Session1.interface.declaration, session),
      (Sound1.interface.declaration, sound), (Bluetooth1.interface.declaration, bluetooth),
      (Settings1.interface.declaration, settings), (Unit1.interface.declaration, unit),
    ]
  }

  @Test func everyMethod_hasASample() {
    for (interface, samples) in Self.all {
      #expect(
        Set(samples.map(\.member)) == Set(interface.methods.map(\.name)), "\(interface.name)")
    }
  }

  @Test func everyMethod_staysAsItIs_onTheWire() throws {
    var accepted = WireRecorder("right arguments")
    var wrong = WireRecorder("wrong arguments")
    var refused = WireRecorder("a unit that refuses") { unit in
      let refusal = Refusal(.failed, "no")
      unit.refusal = refusal
      unit.source.failure = .failed(refusal)
      unit.fakePhones?.refusal = refusal
      unit.fakeQueue.refusal = refusal
      unit.fakeSettings.refusal = refusal
      unit.fakePlaylists.refusal = refusal
      unit.fakeApps?.refusal = refusal
      unit.fakeLibrary?.refusal = refusal
      unit.fakeLibrary?.batch = .failure(.busy)
      unit.fakeLibrary?.thumbnail = .failure(.busy)
    }
    var bare = WireRecorder("a unit without library, phones and content") { unit in
      unit.fakePhones = nil
      unit.fakeLibrary = nil
      unit.fakeApps = nil
      unit.source.tracks = []
      unit.source.publish()
    }
    for (interface, samples) in Self.all {
      var members: Set<String> = []
      for sample in samples {
        try accepted.record(interface, sample)
        guard members.insert(sample.member).inserted else { continue }
        try refused.record(interface, sample)
        try bare.record(interface, sample)
        try wrong.recordWrongCalls(interface, sample)
      }
    }
    try Golden.check(accepted.lines + wrong.lines, "calls.txt")
    try Golden.check(refused.lines + bare.lines, "refusals.txt")
  }

  @Test func everySignal_staysAsItIs_onTheWire() throws {
    let now = MonotonicInstant(awake: .seconds(100))
    let bench = try Bench(clock: { now })
    let unit = bench.unit
    let peer = try bench.peer()
    var lines: [String] = []
    let match = try peer.match(MatchRule(path: ControlInterface.path)) { message in
      let values = (try? message.body().values) ?? []
      let short = message.interface.split(separator: ".").last ?? ""
      lines.append("\(short).\(message.member) \(values.map(\.written).joined(separator: ", "))")
    }
    try bench.loop.turn { peer.isReady }
    func call(_ interface: BusInterface, _ member: String, _ arguments: [BusValue] = []) throws {
      _ = try bench.call(peer, interface.name, member, arguments).get()
    }
    func wait(for signals: String..., while change: () throws -> Void) throws {
      lines.append("== \(signals.joined(separator: ", "))")
      let count = lines.count
      try change()
      try bench.loop.turn { lines.count >= count + signals.count }
    }
    try wait(for: "VehicleChanged") {
      try call(
        Unit1.interface.declaration, "Follow",
        [.strings(["log", "trace", "notices", "focus", "vehicle"])])
    }
    try call(Surface1.interface.declaration, "Register", [.string("screen"), .boolean(true)])
    for interface in [
      NowPlaying1.interface.declaration, Library1.interface.declaration,
      Sources1.interface.declaration,
      Bluetooth1.interface.declaration, Settings1.interface.declaration,
    ] { try call(interface, "Subscribe") }
    try wait(for: "ChannelToken") { try call(Surface1.interface.declaration, "CheckChannel") }
    try wait(for: "StateChanged", "TraceRecord") { unit.source.setRate(1) }
    try wait(for: "StateChanged", "TraceRecord") {
      try call(Commands1.interface.declaration, "Next")
    }
    try wait(for: "Library1.Changed", "Sources1.Changed") { unit.fakeLibrary?.state.revision = 8 }
    try wait(for: "Bluetooth1.StateChanged") { unit.fakePhones?.state.adding = nil }
    try wait(for: "Settings1.Changed") { unit.fakeSettings.state.revision = 8 }
    try wait(for: "VehicleChanged") { unit.vehicle.isParked = true }
    try wait(for: "LogLine") { unit.addLogLine("a line") }
    try wait(for: "Notice") { unit.outbox.put(.notice(UnitNotice(.outputGone, about: "USB"))) }
    try wait(for: "FocusMoved") { unit.outbox.put(.focus(FocusMove(.next, times: 2))) }
    try wait(for: "FilesUnplayable") { unit.outbox.put(.notice(Self.unplayable)) }
    try call(Session1.interface.declaration, "Open", [.string("radio"), Self.empty])
    let port = try #require(unit.fakeApps?.sessions.first?.port)
    try wait(for: "Command") {
      port.send(.media(.seekToPosition(.seconds(9))), number: 3)
    }
    try wait(for: "Instruction") { port.send(.pause(.takenOver(by: "local"))) }
    try wait(for: "Instruction") { port.send(.duck(Ducking())) }
    try wait(for: "ScreenConnected") { port.send(ConnectedScreen(number: 4, name: "screen")) }
    try wait(for: "ArtworkWanted") { port.send(WantedArtwork(5, "track", "cover", 300, 200)) }
    try wait(for: "Status") {
      port.send(
        SessionStatus(hold: .interruption(.call), missing: [.noContent], language: "de-AT"))
    }
    try wait(for: "Heard") { port.send(HeardFrame(stream: 6, frame: 7, at: now)) }
    try wait(for: "Ran") { port.send(.starved, of: 6) }
    withExtendedLifetime(match) {}
    try Golden.check(lines, "signals.txt")
  }

  private static let unplayable = UnitNotice(
    .filesUnplayable, about: "STICK", files: UnplayableFormats(count: 3, formats: ["WMA", "APE"]))

  // MARK: Samples

  private static let nowPlaying = [
    Sample("GetState"), Sample("Subscribe"), Sample("Unsubscribe"),
    Sample("GetArtwork", [.string("track 1"), .uint32(300), .uint32(200)]),
    Sample("GetArtwork", [.string("track 1"), .uint32(0), .uint32(0)]),
    Sample("GetArtwork", [.string("another"), .uint32(300), .uint32(300)]),
    Sample("GetButtonPicture", [.string("none")]), Sample("GetAlbum"),
  ]

  private static let commands =
    [
      Sample(
        "Send",
        [.string("seekToPosition"), .properties(["position": .int64(9_000_000_000)]), empty]),
      Sample(
        "Send",
        [
          .string("next"), empty,
          .properties(["isRepeat": .boolean(true), "from": .string("script")]),
        ]),
      Sample("Send", [.string("next"), empty, .properties(["isRepeat": .int32(1)])]),
      Sample("Send", [.string("next"), empty, .properties(["from": .string("two words")])]),
      Sample("Send", [.string("unknown"), empty, empty]),
      Sample("Send", [.string("seekToPosition"), empty, empty]),
      Sample("Send", [.string("tapButton"), .properties(["index": .int32(9)]), empty]),
      Sample("Seek", [.double(90)]), Sample("Seek", [.double(.nan)]),
      Sample("Seek", [.double(1e300)]),
      Sample("Skip", [.double(-10)]), Sample("Skip", [.double(10)]),
      Sample("SetVolume", [.double(35)]), Sample("SetVolume", [.double(1e300)]),
      Sample("ChangeVolume", [.double(-5)]), Sample("Mute", [.boolean(true)]),
      Sample("SetRepeat", [.string("all")]), Sample("SetRepeat", [.string("never")]),
      Sample("SetShuffle", [.string("items")]), Sample("SetShuffle", [.string("never")]),
      Sample("Like", [.boolean(false)]), Sample("Dislike", [.boolean(true)]),
      Sample("Bookmark", [.boolean(true)]), Sample("SetStars", [.double(4)]),
      Sample("PlayQueueItem", [.string("track 2")]), Sample("PlayQueueItem", [.string("none")]),
    ] + ["Play", "Pause", "Toggle", "Stop", "Next", "Previous"].map { Sample($0) }

  private static let register: [BusValue] = [.string("screen"), .boolean(true)]

  private static let surface =
    [
      Sample("Unregister"), Sample("Observed", [empty]),
      Sample("Observed", [.properties(["title": .string("Song 1"), "status": .string("paused")])]),
      Sample("Observed", [.properties(["title": .int32(1)])]),
      Sample("CheckChannel"), Sample("ConfirmShown", [.uint64(1)]),
      Sample("ReturnToken", [.uint64(1)]),
      Sample("ReturnToken", [.uint64(.max)]),
    ].map { $0.after(Surface1.interface.declaration, "Register", register) }
    + [
      Sample("Register", register), Sample("Register", [.string(""), .boolean(false)]),
      Sample("Unregister"), Sample("Observed", [empty]), Sample("CheckChannel"),
    ]

  private static let library = [
    Sample("GetRoot"), Sample("Subscribe"), Sample("Unsubscribe"),
    Sample(
      "GetPage",
      [.string("artists"), .string("f.0.7"), .uint32(20), .properties(["letter": .string("S")])]),
    Sample("GetPage", [.string("artists"), .string(""), .uint32(0), empty]),
    Sample(
      "GetPage", [.string("artists"), .string(""), .uint32(.max), .properties(["new": .int32(1)])]),
    Sample("GetPage", [.string("nowhere"), .string(""), .uint32(9), empty]),
    Sample(
      "GetPage", [.string("artists"), .string(""), .uint32(9), .properties(["letter": .int32(1)])]),
    Sample("GetLetters", [.string("artists"), .string("")]),
    Sample("GetLetters", [.string("albums"), .string("S")]),
    Sample("GetLetters", [.string("queue"), .string("")]),
    Sample("GetLetters", [.string("nowhere"), .string("")]),
    Sample("Search", [.string("bj"), .uint64(0), .uint32(9), empty]),
    Sample(
      "Search",
      [
        .string("bj"), .uint64(3), .uint32(0),
        .properties(["isByKeys": .boolean(true), "kind": .string("album")]),
      ]),
    Sample(
      "Search", [.string("bj"), .uint64(3), .uint32(9), .properties(["kind": .string("unknown")])]),
    Sample(
      "FindSimilar", [.string("bjorg"), .uint32(500), .properties(["kind": .string("artist")])]),
    Sample("FindSimilar", [.string("bjorg"), .uint32(5), .properties(["kind": .int32(1)])]),
    Sample("Play", [.string("album:1f"), .string(""), .string("now")]),
    Sample("Play", [.string("album:1f"), .string("song:2"), .string("now")]),
    Sample("Play", [.string("album:1f"), .string(""), .string("last")]),
    Sample("Play", [.string("album:1f"), .string(""), .string("never")]),
    Sample("Play", [.string("nowhere"), .string(""), .string("now")]),
    Sample("Play", [.string("album:1f"), .string("nothing"), .string("now")]),
    Sample("GetRecent", [.uint32(0)]), Sample("GetRecent", [.uint32(.max)]),
    Sample("GetQueue", [.uint32(30), .uint32(3)]), Sample("GetQueue", [.uint32(.max), .uint32(0)]),
    Sample("MoveQueueItem", [.uint64(7), .string("track 2"), .string("track 4")]),
    Sample("MoveQueueItem", [.uint64(7), .string("track 2"), .string("")]),
    Sample("RemoveQueueItem", [.uint64(7), .string("track 2")]),
    Sample("RemoveQueueItem", [.uint64(.max), .string("track 2")]),
    Sample("ClearQueue", [.uint64(7)]), Sample("UndoQueue", [.uint64(7)]),
    Sample("GetItemArtwork", [.string("album:1f"), .uint32(80), .uint32(80)]),
    Sample("GetItemArtwork", [.string("nothing"), .uint32(80), .uint32(80)]),
    Sample("GetDoubts"), Sample("SavePlaylist", [.string("Drive")]),
    Sample("AddToPlaylist", [.string("Drive"), .string("album:1f"), .string("song:2")]),
    Sample("AddToPlaylist", [.string("Drive"), .string(""), .string("")]),
    Sample("AddToPlaylist", [.string("Drive"), .string("nowhere"), .string("")]),
    Sample("AddToPlaylist", [.string("Drive"), .string(""), .string(""), .boolean(true)]),
    Sample("RemoveFromPlaylist", [.string("Drive"), .string("song:2")]),
    Sample("RemoveFromPlaylist", [.string("Drive"), .string("")]),
    Sample("RenamePlaylist", [.string("Drive"), .string("Trip")]),
    Sample("DeletePlaylist", [.string("Drive")]),
  ]

  private static let sources = [
    Sample("GetSources"), Sample("Subscribe"), Sample("Unsubscribe"),
    Sample("Choose", [.string("id 0")]), Sample("Choose", [phone]),
    Sample("Rescan", [.string("id 0")]), Sample("ReadAnew", [.string("id 0")]),
    Sample("Forget", [.string("id 0")]),
  ]

  private static let opened: [BusValue] = [.string("radio"), empty]
  private static let format = BusValue.properties([
    "kind": .string("live"), "rate": .uint32(48_000), "channels": .uint32(2),
    "format": .string("s32"),
  ])

  private static let session =
    [
      Sample("Open", opened),
      Sample(
        "Open",
        [
          .string("radio.prompts"),
          .properties([
            "name": .string("Radio"), "audio": .strings(["duckOthers", "spoken"]),
            "resumes": .boolean(true),
          ]),
        ]),
      Sample("Open", [.string("Radio"), empty]),
      Sample("Open", [.string("radio"), .properties(["audio": .strings(["loud"])])]),
    ]
    + [
      Sample("Close", [.uint64(1), .boolean(true)]), Sample("Close", [.uint64(9), .boolean(true)]),
      Sample("SetActive", [.uint64(1), .boolean(true)]),
      Sample("Publish", [.uint64(1), empty]),
      Sample("Publish", [.uint64(9), empty]), Sample("Publish", [.uint64(.max), empty]),
      Sample(
        "Publish",
        [
          .uint64(1),
          .properties([
            "playback": .properties(["state": .string("playing")]), "new": .int32(1),
          ]),
        ]),
      Sample("Publish", [.uint64(1), .properties(["stream": .uint64(1)])]),
      Sample("Claim", [.uint64(1), .string("person")]),
      Sample("Claim", [.uint64(1), .string("me")]),
      Sample("Answer", [.uint64(1), .uint64(3), .string("success")]),
      Sample(
        "Answer",
        [
          .uint64(1), .uint64(3), .string("failed"), .string("no network"),
          .string("no-network"), .string("wait"),
        ]),
      Sample("Answer", [.uint64(1), .uint64(3), .string("perhaps")]),
      Sample(
        "SetTemplate",
        [
          .uint64(1), .uint64(4),
          .properties(["buttons": .array(of: "a{sv}", [.properties(["kind": .string("more")])])]),
        ]),
      Sample(
        "SetTemplate",
        [
          .uint64(1), .uint64(0),
          .properties(["buttons": .array(of: "a{sv}", [.properties(["kind": .string("other")])])]),
        ]),
      Sample(
        "SetButtonPicture",
        [.uint64(1), .string("heart"), .string("svgPath"), .bytes(Array("M0 0".utf8))]),
      Sample("SetButtonPicture", [.uint64(1), .string("heart"), .string(""), .bytes([])]),
      Sample("SetButtonPicture", [.uint64(1), .string("heart"), .string("gif"), .bytes([1])]),
      Sample("GiveArtwork", [.uint64(1), .uint64(5), .string("image/png")]),
      Sample("GiveArtwork", [.uint64(1), .uint64(5), .string("image/gif")]),
      Sample("GiveNoArtwork", [.uint64(1), .uint64(5)]),
    ].map { $0.after(Session1.interface.declaration, "Open", opened) }

  private static let sound =
    [
      Sample("OpenSound", [.uint64(1), format]), Sample("OpenSound", [.uint64(1), empty]),
      Sample("OpenSound", [.uint64(9), format]),
    ].map { $0.after(Session1.interface.declaration, "Open", opened) }
    + [
      Sample("Mark", [.uint64(1), .uint64(44_100), .properties(["time": .int64(3)])]),
      Sample("Mark", [.uint64(1), .uint64(1 << 52), .properties(["time": .int64(3)])]),
      Sample("Mark", [.uint64(1), .uint64(0), empty]),
      Sample("Flush", [.uint64(1), .uint64(7)]), Sample("Flush", [.uint64(9), .uint64(7)]),
      Sample("Finish", [.uint64(1), .uint64(7)]), Sample("CloseSound", [.uint64(1)]),
    ].map {
      $0.after(Session1.interface.declaration, "Open", opened)
        .after(Sound1.interface.declaration, "OpenSound", [.uint64(1), format])
    }

  private static let bluetooth = [
    Sample("GetState"), Sample("Subscribe"), Sample("Unsubscribe"),
    Sample("OpenPairing", [.uint32(0)]), Sample("OpenPairing", [.uint32(60)]),
    Sample("OpenPairing", [.uint32(.max)]), Sample("ClosePairing"),
    Sample("Find", [.uint32(0)]), Sample("Find", [.uint32(601)]), Sample("Add", [phone]),
    Sample("AcceptPairing", [.uint64(3)]), Sample("AcceptPairing", [.uint64(4)]),
    Sample("RejectPairing", [.uint64(3)]), Sample("RejectPairing", [.uint64(.max)]),
    Sample("Connect", [phone]), Sample("Disconnect", [phone]),
    Sample("Rename", [phone, .string("Ann")]),
    Sample("Rename", [phone, .string(String(repeating: "x", count: 300))]),
    Sample("SetFirstChoice", [phone]), Sample("Forget", [phone]),
  ]

  private static let settings = [
    Sample("GetSettings"), Sample("Subscribe"), Sample("Unsubscribe"),
    Sample("Set", [.string("replay-gain"), .string("album")]),
    Sample("Set", [.string("unknown"), .string("album")]),
    Sample("Set", [.string("parked"), .string("always")]),
    Sample("Set", [.string(String(repeating: "x", count: 300)), .string("album")]),
    Sample("Reset", [.string("replay-gain")]), Sample("Reset", [.string("unknown")]),
    Sample("Repair"),
    Sample("SetTime", [.int64(1_800_000_000)]), Sample("SetTime", [.int64(.min)]),
  ]

  private static let unit =
    [
      Sample("GetFacts", [.string("audio")]), Sample("GetFacts", [.string("nothing")]),
      Sample("GetLatency"), Sample("Diagnose", [.string("")]),
      Sample("Diagnose", [.string("phone")]),
      Sample("Diagnose", [.string("artwork")]), Sample("Diagnose", [.string("nothing")]),
      Sample("GetTrace", [.uint32(5)]).after(Commands1.interface.declaration, "Next", []),
      Sample("GetTrace", [.uint32(0)]), Sample("GetLog", [.uint32(5)]),
      Sample("GetLog", [.uint32(.max)]),
      Sample("Follow", [.strings(["log", "trace", "notices", "focus", "vehicle"])]),
      Sample("Follow", [.strings([])]), Sample("Follow", [.strings(["log", "nothing"])]),
      Sample("BeginInterruption", [.string("call"), empty]),
      Sample(
        "BeginInterruption", [.string("call"), .properties(["outlivesClient": .boolean(true)])]),
      Sample("BeginInterruption", [.string("call"), .properties(["time": .int64(5_000_000_000)])]),
      Sample("BeginInterruption", [.string("call"), .properties(["time": .int64(-1)])]),
      Sample("BeginInterruption", [.string(""), empty]),
      Sample("EndInterruption", [.string("call"), empty]),
      Sample("EndInterruption", [.string("call"), .properties(["shouldResume": .boolean(false)])]),
      Sample("EndInterruption", [.string("call"), .properties(["shouldResume": .int32(1)])]),
      Sample("BeginDuck", [.string("prompt"), empty]), Sample("EndDuck", [.string("prompt")]),
      Sample("SetParked", [.string("yes")]), Sample("SetParked", [.string("no")]),
      Sample("SetParked", [.string("unknown")]), Sample("SetParked", [.string("perhaps")]),
    ]
    + [
      "PlayChime", "TestSound", "IsShellAllowed", "EndSafeMode", "ErasePersonalData", "Reboot",
      "PowerOff",
    ].map { Sample($0) }
}
