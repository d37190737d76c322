import Control
import EventLoop
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// The state is read back over the control socket and compared with the state of the center.
@Suite struct StateReadBackTests {
  private func finding(_ bench: Bench, _ path: String? = nil) throws -> DiagnosisReport.Finding {
    var finding: DiagnosisReport.Finding?
    StateReadBack.read(bench.loop, path: path ?? bench.path, bench.center) { finding = $0 }
    try bench.loop.turn { finding != nil }
    return try #require(finding)
  }

  /// A server that sends this state, instead of the state of the center.
  private func server(_ bench: Bench, sends state: @escaping () -> NowPlayingState) throws
    -> PeerListener
  {
    let listener = try PeerListener(bench.loop, path: bench.folder.path("other"))
    let tree = ObjectTree()
    try tree.add(
      BusObject(
        path: ControlInterface.path, interfaces: ControlInterface.all.map(\.declaration),
        onCall: { $0.reply([StateCoding.value(of: state())]) }))
    listener.onPeer = { $0.objects = tree }
    return listener
  }

  @Test func stateThatArrivesAsPublished_isGood_andTheConnectionEnds() throws {
    let bench = try Bench()
    for _ in 0..<2 {
      let finding = try finding(bench)
      #expect(finding.code == "wire.same" && finding.grade == .good, "\(finding)")
      try bench.loop.turn { bench.server?.peerCount == 0 }
      bench.source.setRate(1)
    }
  }

  @Test func longAndHarmfulTexts_areNoDifference() throws {
    let bench = try Bench()
    let long = "\u{1B}[2J" + String(repeating: "ä", count: 40_000)
    bench.source.tracks = [.generic(GenericContent(id: long, title: long, duration: nil))]
    bench.source.setRate(1)
    #expect(try finding(bench).code == "wire.same")
  }

  @Test(arguments: ["title", "status", "volume", "mute", "content", "commands", "up next"])
  func stateThatDiffers_isFound(_ part: String) throws {
    let bench = try Bench()
    bench.source.setRate(1)
    let listener = try server(bench) { Self.changed(bench.center.state, part) }
    let finding = try finding(bench, bench.folder.path("other"))
    #expect(finding.code == "wire.differs" && finding.grade == .bad)
    #expect(finding.found.contains(part), "\(finding)")
    #expect(finding.remedy != nil)
    withExtendedLifetime(listener) {}
  }

  private static func changed(_ state: NowPlayingState, _ part: String) -> NowPlayingState {
    func generic(_ id: String, _ title: String) -> MediaContent {
      .generic(GenericContent(id: id, title: title, duration: state.duration))
    }
    let id = state.content?.id ?? ""
    let title = state.lines.title ?? ""
    return NowPlayingState(
      revision: state.revision, session: state.session,
      content: part == "title"
        ? generic(id, "another") : part == "content" ? generic("another", title) : state.content,
      playback: part == "status" ? nil : state.playback,
      commands: part == "commands" ? Array(state.commands.dropLast()) : state.commands,
      upNext: part == "up next" ? [UpNextItem(id: "x", title: "x")] + state.upNext : state.upNext,
      template: state.template,
      volume: Volume(
        level: part == "volume" ? .silent : state.volume.level,
        isMuted: part == "mute" ? !state.volume.isMuted : state.volume.isMuted),
      interruptions: state.interruptions, language: state.language)
  }

  @Test func socketWithoutAnAnswer_isANote_withinASecond() throws {
    let bench = try Bench()
    let begin = MonotonicInstant.now()
    let finding = try finding(bench, bench.folder.path("nowhere"))
    #expect(finding.code == "wire.unread" && finding.grade == .note && finding.remedy != nil)
    #expect(MonotonicInstant.now().wholeTime(since: begin) < .seconds(5))
  }
}
