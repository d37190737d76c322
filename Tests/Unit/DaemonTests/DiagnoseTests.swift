import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing
import UnitState

/// Deliberately broken systems of real processes: `diagnose` names each fault and exits with 1.
@Suite(.serialized, .timeLimit(.minutes(3))) struct DiagnoseTests {
  private typealias Place = ServeProcess.Place

  /// Asks until the words appear, because the daemon needs a moment to detect the fault.
  private func finds(
    _ words: [String], _ socket: String, symptom: String? = nil,
    _ sourceLocation: SourceLocation = #_sourceLocation, again: () throws -> Void = {}
  ) throws {
    var run = try ConsoleProcess(socket, ["diagnose"] + (symptom.map { [$0] } ?? []))
    let end = ContinuousClock.now + .seconds(30)
    func isFound(_ run: ConsoleProcess) -> Bool {
      // Long paths are wrapped at any character.
      let text = run.output.filter { !$0.isWhitespace }
      return run.status == 1
        && words.allSatisfy { text.contains($0.filter { !$0.isWhitespace }) }
    }
    while !isFound(run), ContinuousClock.now < end {
      try again()
      run = try ConsoleProcess(socket, ["diagnose"] + (symptom.map { [$0] } ?? []))
    }
    #expect(isFound(run), "\(words): \(run)", sourceLocation: sourceLocation)
  }

  private func start(
    _ lines: [String] = [], environment: [String: String] = [:], wrapper: [String] = [],
    _ prepare: (Place) throws -> Void = { try $0.music("a", seconds: 60) }
  ) throws -> (Place, ServeProcess) {
    let place = try Place(["start = play"] + lines)
    try prepare(place)
    let daemon = try ServeProcess(place, environment: environment, wrapper: wrapper)
    #expect(daemon.waits(for: "files in the music folders") != nil, "\(daemon.log)")
    return (place, daemon)
  }

  @Test func healthySystem_isWell() throws {
    let (place, daemon) = try start()
    #expect(daemon.waits(for: "plays 1/1") != nil)
    let run = try ConsoleProcess(place.socket, ["diagnose"])
    #expect(run.status == 0, "\(run)")
    #expect(run.output.contains("All is well."))
    #expect(try ConsoleProcess(place.socket, ["status"]).status == 0)
    #expect(daemon.end() == 0)
  }

  @Test func noMusicFolder() throws {
    let (place, daemon) = try start {
      try FileManager.default.removeItem(atPath: $0.folder.path("music"))
    }
    try finds(["✗ folders", "not there", "there is nowhere to look for music"], place.socket)
    daemon.end()
  }

  @Test func emptyFolder() throws {
    let (place, daemon) = try start { _ in }
    try finds(["✗ music the music folders have no music", "copy FLAC or Ogg"], place.socket)
    daemon.end()
  }

  @Test func allFilesDamaged() throws {
    let (place, daemon) = try start { place in
      for name in ["a", "b"] {
        let noise = Array("fLaC".utf8) + (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try place.folder.write("music/\(name).flac", noise)
      }
    }
    try finds(
      ["✗ music 2 files, and none can be played", "the first:", "a.flac"], place.socket)
    daemon.end()
  }

  @Test func noSoundCard() throws {
    let (place, daemon) = try start(["output = hw:7,0"])
    try finds(
      ["✗ output hw:7,0 cannot be opened", "nothing is heard", "autoharp --list-outputs"],
      place.socket)
    daemon.end()
  }

  @Test(.enabled(if: PacedPCM.obstacle == nil, "needs the paced PCM"))
  func soundCardThatIsBusy() throws {
    let card = try PacedPCM(.init())
    try card.occupy()
    let place = try Place(["start = play", "output = car"])
    try place.music("a", seconds: 60)
    let daemon = try ServeProcess(place, environment: try place.plugIn(card))
    #expect(daemon.waits(for: "files in the music folders") != nil)
    try finds(["✗ output", "busy", "end what else uses the card"], place.socket)
    daemon.end()
  }

  /// The output is a file that accepts no data: a pipe without a reader.
  @Test func outputThatMakesNoProgress() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    let reader = open(folder.path("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let (place, daemon) = try start(["output = wav:\(folder.path("pipe"))"])
    try finds(["✗ output", "the output takes no frames", "hangs"], place.socket)
    daemon.end(SIGKILL)
  }

  @Test func mutedAndTooQuiet() throws {
    let (place, daemon) = try start()
    #expect(daemon.waits(for: "plays 1/1") != nil)
    #expect(try ConsoleProcess(place.socket, ["mute", "on"]).output.contains("muted"))
    try finds(["✗ volume muted nothing is heard → mute off"], place.socket)
    #expect(try ConsoleProcess(place.socket, ["mute", "off"]).status == 0)
    #expect(try ConsoleProcess(place.socket, ["volume", "0"]).status == 0)
    try finds(["✗ volume 0 % nothing is heard → volume 30"], place.socket)
    daemon.end()
  }

  @Test func damagedState() throws {
    let (place, daemon) = try start { place in
      try place.music("a", seconds: 60)
      try place.folder.write("data/state", [UInt8](repeating: 0x5A, count: 600_000))
    }
    try finds(["✗ state", "place and volume of the last run were lost"], place.socket)
    daemon.end()
  }

  @Test func wrongConfiguration() throws {
    let (place, daemon) = try start(["skip-interval = long", "colour = red"])
    try finds(["✗ config", "unit.conf:7", "unit.conf:8", "there is no such key"], place.socket)
    daemon.end()
  }

  /// Music without a cover is no fault, unless the operator reports it as a symptom.
  @Test func missingArtwork() throws {
    let (place, daemon) = try start { place in
      try place.music("a", seconds: 60)
      try place.music("b", seconds: 60)
    }
    #expect(daemon.waits(for: "plays 1/2") != nil)
    #expect(try ConsoleProcess(place.socket, ["repeat", "all"]).status == 0)
    // Only the covers of the current and the next track are looked up.
    try finds(["artwork is missing or wrong?", "✗ 3a"], place.socket, symptom: "artwork") {
      let run = try ConsoleProcess(place.socket, ["next"])
      #expect(run.status == 0)
    }
    #expect(try ConsoleProcess(place.socket, ["diagnose"]).status == 0)
    daemon.end()
  }

  @Test(.enabled(if: getuid() == 0, "only root can give rights away"))
  func realTimeRefused() throws {
    let folder = try TemporaryFolder()
    let manager = try FakeServiceManager(folder.path("notify"))
    let (place, daemon) = try start(
      environment: manager.environment(),
      wrapper: [
        "setpriv", "--bounding-set=-sys_nice,-ipc_lock,-sys_resource", "prlimit",
        "--rtprio=0", "--memlock=0",
      ])
    try finds(["✗ real time plays with no", "LimitRTPRIO=45"], place.socket)
    daemon.end()
  }

  @Test func surfaceThatShowsSomethingElse() throws {
    let (place, daemon) = try start()
    #expect(daemon.waits(for: "plays 1/1") != nil)
    let loop = EventLoop()
    var policy = ClientPolicy()
    policy.serviceName = nil
    let screen = ControlClient(loop, path: place.socket, policy: policy)
    screen.register(as: "painter", showsTemplate: false) { screen.confirmShown($0) }
    screen.start()
    try loop.turn { screen.nowPlaying != nil }
    // The check waits until the surface has settled, and the first difference is repaired.
    try finds(["✗ painter", "Another Song", "look for another writer"], place.socket) {
      var isAnswered = false
      screen.observed(DisplayedState(title: "Another Song"))
      screen.facts(.boot) { _ in isAnswered = true }
      try loop.turn { isAnswered }
    }
    withExtendedLifetime(screen) {}
    daemon.end()
  }

  @Test func controlSocketThatCannotBe_isInTheLog_andTheConsoleSaysSo() throws {
    let (place, daemon) = try start(["control-socket = /nowhere/at/all/control"])
    #expect(daemon.waits(for: "plays 1/1") != nil)
    #expect(daemon.log.contains { $0.contains("/nowhere/at/all/control") })
    let run = try ConsoleProcess("/nowhere/at/all/control", ["diagnose"])
    #expect(run.status == 3)
    #expect(run.errors.contains("The daemon is not running: there is no socket"))
    withExtendedLifetime(place) {}
    daemon.end()
  }

  @Test func startsThatFail() throws {
    let place = try Place(["start = play"])
    try place.music("a", seconds: 600)
    for number in 1...3 {
      let daemon = try ServeProcess(place)
      #expect(try SavedUnitState(place).waits { $0.starts.starts.count == number })
      daemon.end(SIGKILL)
    }
    let careful = try ServeProcess(place)
    #expect(careful.waits(for: "1 files in the music folders") != nil)
    try finds(["✗ starts 3 in a row failed", "it plays nothing by itself"], place.socket)
    careful.end()
  }
}
