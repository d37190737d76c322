// The name of a test begins with the number of its rule in docs/now-playing.md.

import NowPlaying
import Testing

/// Tests commands from a surface to the source, and the answers to the surface: rules C1 to C8.
@Suite struct CommandTests {
  // MARK: C1

  @Test func C1_disabledCommand_isOffered_andRefused() {
    let bench = Bench(playing: true)
    bench.source.enabled[.next] = false
    bench.source.publish()
    #expect(bench.state.command(.next)?.isEnabled == false)
    #expect(bench.state.transport.forward?.isEnabled == false)
    let number = bench.screen.send(.next)
    #expect(bench.center.trace[number]?.verdict == .refused(.disabled(.next)))
    #expect(bench.screen.answers.map(\.refusal?.code) == [.disabled])
    #expect(bench.center.trace[number]?.refusal?.code == .disabled)
    #expect(bench.source.performed == [])
  }

  @Test func C1_commandWithoutHandler_isNotOffered() {
    let bench = Bench(playing: true)
    bench.source.left = [.stars]
    bench.source.publish()
    #expect(bench.state.command(.stars) == nil)
    let number = bench.screen.send(.stars(3))
    #expect(bench.center.trace[number]?.verdict == .refused(.notOffered(.stars)))
  }

  // MARK: C2

  @Test func C2_everyAnswer_reachesItsSenderOnce() {
    let bench = Bench(playing: true)
    let console = ScriptedSurface("console", in: bench.center, clock: bench.clock)
    bench.source.go(to: 3)
    bench.screen.send(.next)
    #expect(bench.screen.answers == [.noSuchContent()])
    bench.screen.send(.previous)
    let removed = Refusal(.failed, "the stick was removed", remedy: "insert it")
    bench.source.failure = .failed(removed)
    bench.screen.send(.like(true))
    bench.source.session.end(at: bench.clock.now)
    bench.screen.send(.play)
    #expect(
      bench.screen.answers == [
        .noSuchContent(), .success, .failed(removed), .nothingPlaying,
      ])
    #expect(console.answers == [])
  }

  @Test func C2_lateAnswer_isAccepted_andASecondAnswerIsIgnored() {
    let bench = Bench(playing: true)
    bench.source.keepsReplies = true
    let number = bench.screen.send(.next)
    #expect(bench.screen.answers == [])
    bench.clock.advance(.milliseconds(700))
    bench.source.replies[0](.noSuchContent(), at: bench.clock.now)
    bench.source.replies[0](.success, at: bench.clock.now)
    #expect(bench.screen.answers == [.noSuchContent()])
    #expect(bench.center.trace[number]?.answer == .noSuchContent())
  }

  @Test func C2_handlerThatReleasesItsReply_isAnsweredWithFailure() {
    let bench = Bench(playing: true)
    bench.source.keepsReplies = true
    bench.screen.send(.next)
    bench.source.replies = []
    #expect(bench.screen.answers.map(\.refusal?.code) == [.sourceSilent])
  }

  @Test func C2_handlerWithoutAnswer_failsAfterTwoSeconds() {
    let bench = Bench(playing: true)
    bench.source.keepsReplies = true
    #expect(bench.center.nextDeadline == nil)
    bench.screen.send(.next)
    let asked = bench.clock.now
    #expect(bench.center.nextDeadline == asked.advanced(by: .seconds(2)))
    bench.clock.advance(.milliseconds(1999))
    bench.center.expire(at: bench.clock.now)
    #expect(bench.screen.answers == [])
    bench.clock.advance(.milliseconds(1))
    bench.center.expire(at: bench.clock.now)
    #expect(bench.screen.answers.map(\.refusal?.code) == [.sourceTooLate])
    #expect(bench.center.nextDeadline == nil)
    bench.source.replies[0](.success, at: bench.clock.now)
    #expect(bench.screen.answers.count == 1)
  }

  @Test func C2_trace_containsEveryStep() {
    let bench = Bench(playing: true)
    bench.source.keepsReplies = true
    let number = bench.screen.send(.next, on: .dbus)
    bench.clock.advance(.milliseconds(8))
    bench.source.replies[0](.success, at: bench.clock.now)
    bench.clock.advance(.milliseconds(40))
    bench.source.replies[0].heard(at: bench.clock.now)
    guard let record = bench.center.trace[number] else {
      Issue.record("no record")
      return
    }
    #expect(record.description.hasPrefix("#1 screen/dbus next"))
    #expect(record.verdict == .accepted("local"))
    #expect(record.answer == .success)
    #expect(record.performed == record.received.advanced(by: .milliseconds(8)))
    #expect(record.heard == record.received.advanced(by: .milliseconds(48)))
    bench.screen.send(.stars(99))
    let refused = bench.center.trace[2]
    #expect(refused?.description.hasPrefix("#2 screen/text stars 99") == true)
    #expect(refused?.refusal?.code == .unsupportedValue)
    #expect(refused?.answer?.refusal?.code == .unsupportedValue)
    #expect(refused?.performed == refused?.received)
  }

  @Test func C2_trace_isBounded() {
    var trace: CommandTrace { center.trace }
    let clock = ManualClock()
    let center = NowPlayingCenter(volume: Volume(level: .silent), traceCapacity: 10)
    let surface = ScriptedSurface("console", in: center, clock: clock)
    for _ in 0..<25 { surface.send(.play) }
    #expect(trace.records.map(\.number) == Array(16...25))
    #expect(trace.count == 25)
    #expect(trace[15] == nil && trace[26] == nil && trace[16]?.number == 16)
    #expect(trace[20]?.answer == .nothingPlaying)
  }

  // MARK: C3

  @Test func C3_skip_usesTheIntervalOfTheRequest() {
    let bench = Bench(playing: true)
    #expect(
      bench.state.command(.skipForward)?.parameters == .intervals([.seconds(15), .seconds(30)]))
    bench.screen.send(.skipForward(.seconds(42)))
    bench.screen.send(.skipForward(nil))
    bench.screen.send(.skipBackward(.seconds(7)))
    #expect(bench.source.performed == ["+42.0", "+15.0", "-7.0"])
    #expect(bench.screen.elapsed == 50)
  }

  @Test func C3_skipWithoutAnInterval_isRefused() {
    let bench = Bench(playing: true)
    bench.source.intervals = []
    bench.source.left = [.next]
    bench.source.publish()
    #expect(bench.state.transport.forward == nil)
    let number = bench.screen.send(.skipForward(nil))
    #expect(bench.center.trace[number]?.verdict == .refused(.noPreferredInterval(.skipForward)))
    for interval in [Duration.zero, .seconds(-3)] { bench.screen.send(.skipForward(interval)) }
    #expect(bench.source.performed == [])
  }

  // MARK: C4

  @Test func C4_everyCommand_reachesItsHandler_withItsValues() {
    let requests: [(MediaRequest, String)] = [
      (.pause, "pause"), (.play, "play"), (.stop, "stop"), (.togglePlayPause, "play"),
      (.next, "next"), (.previous, "previous"), (.skipForward(.seconds(1)), "+1.0"),
      (.skipBackward(.seconds(1)), "-1.0"), (.seekForward(.begin), "ff"),
      (.seekForward(.end), "ff end"), (.seekBackward(.begin), "rew"),
      (.seekBackward(.end), "rew end"), (.seekToPosition(.seconds(5)), "to 5.0"),
      (.changePlaybackRate(2), "rate 2.0"), (.changeRepeatMode(.one), "repeat one"),
      (.changeShuffleMode(.items), "shuffle items"), (.stars(4.5), "stars 4.5"),
      (.like(true), "like true"), (.dislike(false), "dislike false"),
      (.bookmark(true), "bookmark true"), (.enableLanguageOption("de"), "language de"),
      (.disableLanguageOption("de"), "no language de"), (.playQueueItem("b"), "play b"),
      (.moveQueueItem("b", before: "a", revision: 3), "move b before a at 3"),
      (.moveQueueItem("b", before: nil, revision: 4), "move b before - at 4"),
      (.removeQueueItem("b", revision: 5), "remove b at 5"),
      (.clearQueue(revision: 6), "clear at 6"), (.undoQueue(revision: 7), "undo at 7"),
    ]
    #expect(Set(requests.map(\.0.kind)) == Set(CommandKind.allCases))
    let bench = Bench(playing: true)
    for (request, performed) in requests {
      bench.source.performed = []
      bench.screen.send(request)
      #expect(bench.source.performed == [performed], "\(request)")
      #expect(bench.screen.answers.last == .success, "\(request)")
    }
  }

  @Test func C4_queueCommand_reachesTheOwnerOfTheQueue_alsoBehindAPhone() {
    let bench = Bench(playing: true)
    let owner = ScriptedListOwner("local")
    bench.center.add(listOwner: owner)
    let phone = ScriptedSource("phone", in: bench.center, clock: bench.clock)
    phone.left = Set(CommandKind.allCases.filter { $0 != .play && $0 != .pause && $0 != .next })
    phone.play()
    #expect(bench.state.session == "phone")
    bench.source.performed = []
    let number = bench.screen.send(.removeQueueItem("b", revision: 5))
    #expect(bench.source.performed == ["remove b at 5"])
    #expect(bench.screen.answers.last == .success)
    #expect(bench.center.trace[number]?.verdict == .accepted(bench.source.session.id))
    bench.screen.send(.stop)
    #expect(bench.screen.answers.last?.refusal?.code == .notOffered, "no command of the queue")
    // Now the phone offers the commands of a queue too. The source that owns the queue still gets the command.
    phone.left = []
    phone.publish()
    bench.screen.send(.playQueueItem("c"))
    #expect(bench.source.performed.last == "play c")
    phone.session.end(at: bench.clock.now)
    bench.source.left = [.playQueueItem]
    bench.source.publish()
    bench.screen.send(.playQueueItem("c"))
    #expect(bench.screen.answers.last?.refusal?.code == .notOffered)
    withExtendedLifetime(owner) {}
  }

  @Test func C1_undoWithoutAnEdit_isOffered_andRefused() {
    let bench = Bench(playing: true)
    bench.source.impossible = [.undoQueue]
    bench.source.publish()
    #expect(bench.state.command(.undoQueue)?.isEnabled == false)
    let number = bench.screen.send(.undoQueue(revision: 1))
    #expect(bench.center.trace[number]?.verdict == .refused(.notPossible(.undoQueue)))
    #expect(bench.screen.answers.last?.refusal?.code == .nothingToUndo)
  }

  @Test func C2_commandWithoutAReceiver_isDeferred_ifItIsCarriedOutLater() {
    let clock = ManualClock()
    var noted: [MediaRequest] = []
    var origins: [PressOrigin?] = []
    let center = NowPlayingCenter(volume: Volume(level: .silent)) { request, origin in
      noted.append(request)
      origins.append(origin)
      return request == .play
    }
    let surface = ScriptedSurface("console", in: center, clock: clock)
    let numbers = [surface.send(.play), surface.send(.next)]
    #expect(surface.answers == [.success, .nothingPlaying] && noted == [.play, .next])
    let phone = PressOrigin.bluetooth("Ann's", address: "AA:BB:CC:DD:EE:FF")
    let port = center.connect(SurfaceDescription(id: "keys"), at: clock.now) { _ in }
    port.send(.media(.previous), on: .text, of: phone, at: clock.now)
    #expect(origins == [nil, nil, phone])
    #expect(
      numbers.map { center.trace[$0]?.verdict } == [.deferred, .refused(.nothingPlaying)])
  }

  @Test func C4_unsupportedValue_isRefused() {
    let bench = Bench(playing: true)
    let refused: [(MediaRequest, Refusal.Code)] = [
      (.changePlaybackRate(3), .unsupportedValue),
      (.changePlaybackRate(.nan), .unsupportedValue),
      (.changeShuffleMode(.collections), .unsupportedValue),
      (.stars(-1), .unsupportedValue),
      (.stars(.nan), .unsupportedValue),
      (.enableLanguageOption("xx"), .noSuchOption),
    ]
    for (request, code) in refused {
      bench.screen.send(request)
      #expect(bench.screen.answers.last?.refusal?.code == code, "\(request)")
    }
    #expect(bench.source.performed == [])
  }

  @Test func C4_toggle_followsTheStateOfTheModel() {
    let bench = Bench()
    bench.screen.send(.togglePlayPause)
    bench.screen.send(.togglePlayPause)
    bench.screen.send(.togglePlayPause)
    #expect(bench.source.performed == ["play", "pause", "play"])
    bench.source.left = [.play, .pause]
    bench.source.publish()
    bench.screen.send(.togglePlayPause)
    bench.screen.send(.togglePlayPause)
    #expect(bench.source.performed.suffix(2) == ["toggle", "toggle"])
    #expect(bench.state.status == .playing)
  }

  @Test func C4_heldSeek_ends_whenItsSurfaceDisconnects() {
    let bench = Bench(playing: true)
    let phone = ScriptedSurface("phone", in: bench.center, clock: bench.clock)
    phone.send(.seekForward(.begin))
    #expect(bench.state.status == .seekingForward)
    phone.close()
    #expect(bench.source.performed == ["ff", "ff end"])
    #expect(bench.state.status == .playing)
  }

  @Test func C4_heldSeek_ends_forTheOtherDirection_andForAnotherSession() {
    let bench = Bench(playing: true)
    bench.screen.send(.seekForward(.begin))
    bench.screen.send(.seekForward(.begin))
    bench.screen.send(.seekBackward(.begin))
    bench.screen.send(.seekForward(.end))
    #expect(bench.source.performed == ["ff", "ff end", "rew"])
    let other = ScriptedSource("other", in: bench.center, clock: bench.clock)
    other.play()
    #expect(bench.source.performed == ["ff", "ff end", "rew", "rew end"])
    bench.screen.send(.seekBackward(.end))
    #expect(other.performed == [], "the held seek belonged to the first source")
  }

  @Test func C4_heldSeek_canEnd_whileItsCommandIsDisabled() {
    let bench = Bench(playing: true)
    bench.screen.send(.seekForward(.begin))
    bench.source.enabled[.seekForward] = false
    bench.source.publish()
    bench.screen.send(.seekForward(.end))
    #expect(bench.source.performed == ["ff", "ff end"])
    #expect(bench.screen.answers == [.success, .success])
    #expect(bench.state.status == .playing)
    bench.screen.send(.seekForward(.begin))
    #expect(bench.source.performed == ["ff", "ff end"], "a disabled command has no effect")
  }

  @Test func C4_heldSeek_isForgotten_whenItsCommandIsRemoved() {
    let bench = Bench(playing: true)
    bench.screen.send(.seekForward(.begin))
    bench.source.left = [.seekForward]
    bench.source.publish()
    bench.screen.send(.seekForward(.end))
    #expect(bench.screen.answers == [.success, .success])
    bench.source.left = []
    bench.source.publish()
    bench.screen.send(.seekForward(.begin))
    #expect(bench.source.performed == ["ff", "ff"], "no seek is held")
  }

  // MARK: C5

  @Test func C5_temporarilyDisabledCommand_isPublishedAsState() {
    let bench = Bench(playing: true)
    bench.source.enabled[.skipForward] = false
    #expect(bench.screen.reasons { bench.source.publish() } == [[.commands]])
    bench.screen.send(.skipForward(nil))
    bench.source.enabled[.skipForward] = true
    #expect(bench.screen.reasons { bench.source.publish() } == [[.commands]])
    bench.screen.send(.skipForward(nil))
    #expect(bench.source.performed == ["+15.0"])
  }

  // MARK: C6

  @Test func C6_endedSession_removesItsCommands_andFailsPendingOnes() {
    let bench = Bench(playing: true)
    bench.source.keepsReplies = true
    bench.screen.send(.next)
    bench.source.session.end(at: bench.clock.now)
    #expect(bench.screen.answers.map(\.refusal?.code) == [.sessionEnded])
    #expect(bench.state.commands.isEmpty && bench.state.content == nil)
    bench.source.performed = []
    bench.screen.send(.play)
    #expect(bench.source.performed == [])
    bench.source.publish()
    #expect(bench.state.session == nil, "an ended session cannot publish")
  }

  @Test func C6_releasedSource_endsItsSession() {
    let clock = ManualClock()
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    var source: ScriptedSource? = ScriptedSource("a", in: center, clock: clock)
    source?.play()
    weak let alive = source
    #expect(center.state.session == "a")
    source = nil
    #expect(alive == nil)
    #expect(center.state.session == nil)
    #expect(center.state.commands.isEmpty)
  }

  @Test func C6_sessionThatEndsInItsSeekHandler_receivesNoFurtherCommand() {
    let clock = ManualClock()
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let screen = ScriptedSurface("screen", in: center, clock: clock)
    let session = center.openSession("a", instruct: { _ in }, at: clock.now)
    session.activate(at: clock.now)
    var begun: [String] = []
    func seek(_ name: String, _ reply: CommandReply) {
      begun.append(name)
      reply(.success, at: clock.now)
    }
    session.publish(
      SessionDescription(
        content: song("1"),
        commands: [
          .seekForward(
            beginAction: { seek("ff", $0) }, endAction: { _ in session.end(at: clock.now) }),
          .seekBackward(beginAction: { seek("rew", $0) }, endAction: { seek("rew end", $0) }),
        ]), at: clock.now)
    screen.send(.seekForward(.begin))
    screen.send(.seekBackward(.begin))
    #expect(begun == ["ff"])
    #expect(screen.answers == [.success, .nothingPlaying])
  }

  @Test func C6_newSessionWithTheSameID_replacesTheFormerSession() {
    let bench = Bench(playing: true)
    let again = ScriptedSource("local", in: bench.center, clock: bench.clock)
    again.tracks = [song("new")]
    again.publish()
    bench.source.publish()
    #expect(bench.state.content?.id == "new")
    bench.screen.send(.play)
    #expect(again.performed == ["play"])
    #expect(bench.source.performed == [])
  }

  /// Only closures that the center stores refer to this object. So the object is released when they are replaced.
  private final class Owner {
    var session: MediaSession?
    var port: SurfacePort?
  }

  @Test func C6_ownerRetainedOnlyByItsClosures_isReleased_whenItIsReplaced() {
    let bench = Bench()
    weak var released: Owner?
    func openOne() {
      let owner = Owner()
      released = owner
      owner.session = bench.center.openSession(
        "knot", instruct: { _ in _ = owner.session }, at: bench.clock.now)
      owner.port = bench.center.connect(SurfaceDescription(id: "knot"), at: bench.clock.now) { _ in
        _ = owner.port
      }
      owner.session?.publish(
        SessionDescription(commands: [.play { _ in _ = owner.session }]), at: bench.clock.now)
      owner.session?.updateTemplate(at: bench.clock.now) {
        $0.updateNowPlayingButtons([.more { _ in _ = owner.session }])
      }
    }
    openOne()
    #expect(released != nil)
    let session = bench.center.openSession("knot", instruct: { _ in }, at: bench.clock.now)
    let port = bench.center.connect(SurfaceDescription(id: "knot"), at: bench.clock.now) { _ in }
    #expect(released == nil)
    #expect(session.missingParts.contains(.noContent), "the new session is still open")
    #expect(port.channel.toSurface == .untested)
    #expect(bench.center.inspection(at: bench.clock.now).surfaces.map(\.id) == ["screen", "knot"])
  }

  // MARK: C7

  @Test func C7_loopBack_testsBothDirections() {
    let bench = Bench()
    #expect(bench.screen.port.channel.toSurface == .untested)
    let token = bench.screen.port.beginChannelCheck(at: bench.clock.now)
    bench.clock.advance(.milliseconds(3))
    bench.screen.port.channelShowed(token, at: bench.clock.now)
    #expect(bench.screen.port.channel.toSurface == .passed(.milliseconds(3)))
    #expect(!bench.screen.port.channel.hasPassed)
    bench.clock.advance(.milliseconds(9))
    bench.screen.port.channelReturned(token, at: bench.clock.now)
    #expect(bench.screen.port.channel.hasPassed)
    let channel = bench.center.inspection(at: bench.clock.now).surfaces[0].channel
    #expect(channel.toSurface == .passed(.milliseconds(3)))
    #expect(channel.fromSurface == .passed(.milliseconds(12)))
  }

  @Test func C7_lateToken_fails_andAnOldTokenIsIgnored() {
    let bench = Bench()
    let old = bench.screen.port.beginChannelCheck(at: bench.clock.now)
    let token = bench.screen.port.beginChannelCheck(at: bench.clock.now)
    bench.screen.port.channelReturned(old, at: bench.clock.now)
    #expect(bench.screen.port.channel.fromSurface == .waiting, "an older token is ignored")
    bench.screen.port.channelReturned(token, at: bench.clock.now)
    let deadline = bench.center.nextDeadline
    #expect(deadline == bench.clock.now.advanced(by: ChannelCheck.limit))
    bench.clock.advance(ChannelCheck.limit)
    bench.center.expire(at: bench.clock.now)
    #expect(bench.screen.port.channel.toSurface == .failed)
    #expect(bench.screen.port.channel.fromSurface == .passed(.zero))
    bench.screen.port.channelShowed(token, at: bench.clock.now)
    #expect(bench.screen.port.channel.toSurface == .failed, "a late token does not pass")
    #expect(bench.center.nextDeadline == nil)
  }

  // MARK: C8

  @Test func C8_commandAfterDisconnection_isRefused() {
    let bench = Bench(playing: true)
    bench.screen.port.disconnect(at: bench.clock.now)
    let number = bench.screen.send(.next)
    #expect(bench.center.trace[number]?.verdict == .refused(.notConnected))
    #expect(bench.source.performed == [])
    #expect(bench.screen.answers.map(\.refusal?.code) == [.surfaceNotConnected])
  }

  @Test func C8_surfaceThatReconnects_closesItsFormerChannel() {
    let bench = Bench(playing: true)
    let again = ScriptedSurface("screen", in: bench.center, clock: bench.clock)
    bench.screen.send(.next)
    again.send(.next)
    #expect(bench.source.performed == ["next"])
    let count = bench.screen.states.count
    bench.source.pause()
    #expect(bench.screen.states.count == count)
    #expect(again.state.status == .paused)
  }
}
