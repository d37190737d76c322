// The name of a test begins with the number of its rule in docs/now-playing.md.

import NowPlaying
import TestKit
import Testing

/// Causes random events in a head unit. After each event it checks rules of docs/now-playing.md.
final class RandomDrive {
  private let seed: UInt64
  private var random: SeededRandom
  private let clock = ManualClock()
  private let center: NowPlayingCenter
  private var sources: [ScriptedSource] = []
  private var ended: [(source: ScriptedSource, performed: Int)] = []
  private var surfaces: [ScriptedSurface] = []
  private var allSurfaces: [ScriptedSurface] = []
  private var interruptions: [Int] = []
  private var sent = 0
  private var asked = 0
  private var pictures = 0
  private var step = 0
  private var log: [String] = []
  private(set) var hasFailed = false

  init(seed: UInt64) {
    self.seed = seed
    random = SeededRandom(seed)
    center = NowPlayingCenter(volume: Volume(level: VolumeLevel(thousandths: 300)))
    for id in ["local", "phone", "radio", "prompt"] { open(SessionID(id)) }
    for id in ["screen", "phone", "console"] { connect(SurfaceID(id)) }
  }

  // MARK: Events

  func run(steps: Int) {
    for step in 0..<steps where !hasFailed {
      self.step = step
      act()
      checkRules()
    }
    if !hasFailed { finish() }
  }

  private func note(_ text: String) { log.append("\(step) \(text)") }

  private func act() {
    clock.advance(random.seconds(0...(random.chance(10) ? 300 : 3)))
    switch random.below(20) {
    case 0...6: sendCommand()
    case 7...11: actAsSource()
    case 12: beginOrEndInterruption()
    case 13: connectOrDisconnect()
    case 14: endOrOpen()
    case 15: fail()
    case 16: configure()
    case 17: requestArtwork()
    case 18:
      note("expire")
      center.expire(at: clock.now)
    default:
      note("sleep")
      clock.sleep(random.seconds(0...1000))
    }
  }

  private func sendCommand() {
    guard let surface = surfaces.randomElement(using: &random) else { return }
    let request = randomRequest()
    let inputPath = [InputPath.dbus, .keys, .touch, .text].randomElement(using: &random)!
    note("\(surface.port.id) sends \(request) on \(inputPath)")
    for _ in 0..<(random.chance(20) ? 2 : 1) {
      sent += 1
      surface.send(request, on: inputPath, isRepeat: random.chance(5))
    }
  }

  private func randomRequest() -> CommandRequest {
    let seconds = random.seconds(-100...400)
    let requests: [CommandRequest] = [
      .media(.play), .media(.pause), .media(.togglePlayPause), .media(.stop), .media(.next),
      .media(.previous), .media(.skipForward(random.chance(50) ? nil : seconds)),
      .media(.skipBackward(random.chance(50) ? nil : seconds)), .media(.seekForward(.begin)),
      .media(.seekForward(.end)), .media(.seekBackward(.begin)), .media(.seekBackward(.end)),
      .media(.seekToPosition(seconds)),
      .media(.changePlaybackRate([0.5, 1, 2, -1, .nan].randomElement(using: &random)!)),
      .media(.changeRepeatMode(.allCases.randomElement(using: &random)!)),
      .media(.changeShuffleMode(.allCases.randomElement(using: &random)!)),
      .media(.stars(Double(random.below(9)) - 2)), .media(.enableLanguageOption("de")),
      .volume(.change(thousandths: random.below(300) - 150)), .volume(.toggleMuted),
      .template(.button(random.below(7))), .template(.upNext), .template(.albumArtist),
    ]
    return requests.randomElement(using: &random)!
  }

  private func actAsSource() {
    guard let source = sources.randomElement(using: &random) else { return }
    let action = random.below(15)
    note("\(source.session.id) does \(action)")
    switch action {
    case 0...2: source.play()
    case 3: source.pause()
    case 4: source.stop()
    case 5: source.buffer()
    case 6: source.go(to: random.below(source.tracks.count))
    case 7: source.seek(to: random.seconds(-10...400))
    case 8: source.setRate([0.5, 1, 2].randomElement(using: &random)!)
    case 9: source.session.outputLost(at: clock.now)
    case 10: source.session.outputRegained(at: clock.now)
    case 11: source.session.activate(at: clock.now)
    case 12: source.session.deactivate(notifyingOthers: random.chance(50), at: clock.now)
    case 13: _ = source.session.becomeActiveIfPossible(at: clock.now)
    default:
      let kind = CommandKind.allCases.randomElement(using: &random)!
      source.enabled[kind] = random.chance(50)
      source.publish()
    }
  }

  private func beginOrEndInterruption() {
    if random.chance(50) || interruptions.isEmpty {
      note("interruption")
      interruptions.append(
        center.beginInterruption([.call, .reversing].randomElement(using: &random)!, at: clock.now))
    } else {
      let id = interruptions.remove(at: random.below(interruptions.count))
      note("end of interruption \(id)")
      center.endInterruption(id, shouldResume: random.chance(60), at: clock.now)
    }
  }

  private func connectOrDisconnect() {
    if random.chance(50), !surfaces.isEmpty {
      let surface = surfaces.remove(at: random.below(surfaces.count))
      note("\(surface.port.id) disconnects")
      surface.close()
    } else {
      connect(SurfaceID(["screen", "phone", "console"].randomElement(using: &random)!))
    }
  }

  private func connect(_ id: SurfaceID) {
    note("\(id) connects")
    surfaces.removeAll { $0.port.id == id }
    let surface = ScriptedSurface(id, in: center, clock: clock, showsTemplate: id == "screen")
    surfaces.append(surface)
    allSurfaces.append(surface)
  }

  private func endOrOpen() {
    let ids = ["local", "phone", "radio", "prompt"].map { SessionID($0) }
    if random.chance(50), !sources.isEmpty {
      let source = sources.remove(at: random.below(sources.count))
      note("\(source.session.id) ends")
      source.session.end(notifyingOthers: random.chance(50), at: clock.now)
      ended.append((source, source.performed.count))
    } else {
      open(ids.randomElement(using: &random)!)
    }
  }

  private func open(_ id: SessionID) {
    note("\(id) opens")
    var old: ScriptedSource?
    if let index = sources.firstIndex(where: { $0.session.id == id }) {
      old = sources.remove(at: index)
    }
    let buttons = random.below(8)
    let source = ScriptedSource(
      id, in: center, clock: clock,
      audio: id == "prompt" ? AudioSession(options: .duckOthers) : AudioSession(),
      tracks: tracks(id), activated: random.chance(80)
    ) {
      $1.updateNowPlayingButtons((0..<buttons).map { _ in .shuffle() })
    }
    // The new session has ended the old session. From now on the old source must receive no command (C6), so its
    // commands are counted now.
    if let old { ended.append((old, old.performed.count)) }
    source.publishesItself = id == "phone"
    source.advancesInSuspend = id == "phone"
    source.publish()
    sources.append(source)
  }

  private func tracks(_ id: SessionID) -> [MediaContent] {
    if id == "radio" {
      return [.radio(RadioContent(id: "fm", stationName: "FM")), song("jingle", seconds: nil)]
    }
    return (0..<4).map { index in
      var content = MusicContent(
        id: "\(id)-\(index)", songTitle: "\(index)", artistName: "", albumName: "",
        duration: .finite(random.seconds(0...300)),
        artwork: Artwork(id: "\(id)-\(index / 2)") { _ in .later })
      if random.chance(40) {
        content.adTimeRanges = [
          AdTimeRange(start: random.seconds(-20...200), duration: random.seconds(0...60))
        ]
      }
      return .music(content)
    }
  }

  private func fail() {
    guard let source = sources.randomElement(using: &random) else { return }
    note("\(source.session.id) changes its behaviour")
    source.failure = random.chance(50) ? nil : .failed(Refusal(.failed, "broken"))
    // If the seed is odd, all sources follow instructions.
    if seed % 2 == 0 { source.followsInstructions = random.chance(50) }
    source.keepsReplies = random.chance(30)
    if random.chance(50) { source.replies = [] }
  }

  private func configure() {
    guard let source = sources.randomElement(using: &random) else { return }
    note("\(source.session.id) configures")
    source.session.updateTemplate(at: clock.now) {
      $0.updateNowPlayingButtons((0..<random.below(9)).map { _ in .repeat() })
      $0.isUpNextButtonEnabled = random.chance(50)
    }
  }

  private func requestArtwork() {
    guard let id = center.state.content?.id else { return }
    note("artwork of \(id)")
    asked += 1
    center.artwork(for: id, size: .largest, at: clock.now) { [self] _ in pictures += 1 }
    if random.chance(50) { center.artworkArrived(random.below(asked) + 1, nil, at: clock.now) }
  }

  // MARK: Rules

  private func expect(
    _ condition: Bool, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard !condition, !hasFailed else { return }
    hasFailed = true
    Issue.record(
      "seed \(seed), step \(step): \(rule)\n\(log.suffix(12).joined(separator: "\n"))",
      sourceLocation: sourceLocation)
  }

  private func checkRules() {
    let state = center.state
    let primaries = center.arbitration.verdicts.filter(\.isPrimary)
    expect(primaries.count <= 1, "E5: at most one primary")
    expect(primaries.first?.id == state.session, "P5: the primary is shown")
    expect(
      primaries.allSatisfy { $0.missing.isEmpty || $0.missing == [.audioSessionInactive] },
      "E1, E2: the primary session has all parts, or has ended its sound")
    expect(state.session != "prompt", "E3: a mixable session is never primary")
    expect(
      state.session != nil || !sources.contains { $0.session.missingParts.isEmpty },
      "E6: an eligible session is primary")

    for ahead in [0.0, 1, 1000, 1e6] {
      let now = clock.now.advanced(by: .seconds(ahead))
      guard let elapsed = state.elapsed(at: now) else { continue }
      expect(elapsed >= .zero, "P1: elapsed is never negative")
      if let length = state.duration?.length {
        expect(elapsed <= length, "P1: elapsed is never past the duration")
      }
    }

    expect(state.template.buttons.count <= 5, "T2: five buttons at most")
    expect(
      state.interruptions.isEmpty || !state.status.isAdvancing,
      "E4: nothing plays while interrupted")
    let sounding = sources.filter {
      $0.rate != 0 && $0.condition == .ready && $0.session.id != "prompt"
    }
    expect(seed % 2 == 0 || sounding.count <= 1, "E5: at most one session sounds")
    expect(
      seed % 2 == 0 || sounding.allSatisfy { $0.session.sound.hold == nil },
      "E2, E4, E5: a held session is silent")

    for surface in surfaces { expect(surface.state == state, "S4: every surface has the state") }
    for surface in allSurfaces {
      for (old, new) in zip(surface.states, surface.states.dropFirst()) {
        expect(old.revision < new.revision, "P4: revisions increase")
        expect(
          !PublicationReason.between(old, new).isEmpty, "P2: no publication without a change")
      }
      if surface.states.count > 2 { surface.forgetAllButTheLast() }
    }
    for (source, performed) in ended {
      expect(source.performed.count == performed, "C6: an ended session receives no more commands")
      expect(
        source.session.missingParts.isEmpty && !source.session.isPrimary,
        "C6: an ended session has no state")
    }
    expect(center.inspection(at: clock.now).endlessReactionCount == 0, "no endless changes")
  }

  /// Checks that every command has received an answer, and that the state is empty after all sessions have ended.
  private func finish() {
    clock.advance(seconds: 3)
    center.expire(at: clock.now)
    let answered = allSurfaces.reduce(0) { $0 + $1.answers.count }
    expect(answered == sent, "C2: \(sent) commands, \(answered) answers")
    for source in sources { source.session.end(at: clock.now) }
    expect(pictures == asked, "A1: \(asked) requests for covers, \(pictures) answers")
    expect(center.state.session == nil && center.state.commands.isEmpty, "C6: the state is empty")
    expect(center.nextDeadline == nil, "no deadline is pending")
  }
}

@Suite struct RandomDriveTests {
  /// A failure reports its seed. To run only the failed test again, reduce the range below to this seed.
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func E5_P1_P2_C2_C6_T2_randomDrive_keepsTheRules(seed: UInt64) {
    RandomDrive(seed: seed).run(steps: 400)
  }
}
