import A2DPStream
import EventLoop
import HeadUnit
import LocalPlayer
import AudioEngine
import NowPlaying
import PhoneLink
import PhonePlayer
import SystemClock
import TestKit
import Testing

@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct PhonePlayerTests {
  private static let session = SessionID("phone-\(Car.phone)")
  private static let otherSession = SessionID("phone-\(Car.other)")

  /// The index of `sound`, consecutive samples of the phone, in `heard`. Nil if `heard` does not contain them.
  private func index(of sound: ArraySlice<Int16>, in heard: [Int32]) -> Int? {
    let wanted = sound.map { Int32($0) << 16 }
    guard let first = wanted.first(where: { $0 != 0 }) else { return nil }
    let skipped = wanted.firstIndex(of: first)!
    return heard.indices.first { index in
      heard[index] == first && index >= skipped
        && index - skipped + wanted.count <= heard.count
        && heard[(index - skipped)..<(index - skipped + wanted.count)].elementsEqual(wanted)
    }
  }

  /// If packets or periods are late, the unit resamples or fades. Then the test is repeated.
  @Test func music_isHeard_sampleForSample() throws {
    try repeatedWhileBusy {
      let car = try Car()
      car.addPlayer(status: "playing")
      try car.stream()
      try car.turn { car.state.session == Self.session && car.state.status == .playing }
      try car.turn(for: .milliseconds(1200))
      let sent = car.sent()
      try car.turn(for: .milliseconds(300))
      let stream = try #require(car.phones.statuses.first?.stream)
      guard !stream.report.isResampled, stream.counts.underruns == 0, stream.counts.dropped == 0,
        car.unit.engine.xrunCount == 0
      else { throw MachineTooBusy() }
      // The beginning is not heard: the sound card is being opened. Half a second from the middle is heard unchanged.
      let middle = sent.count / 2 / 2 * 2
      #expect(index(of: sent[middle..<middle + 44_100], in: try car.heard()) != nil)
    }
  }

  @Test func commands_areThoseOfTheTable() throws {
    let rows = try ProjectFile.tableRows(
      "docs/now-playing.md", section: "Which source answers which command")
    func kinds(_ cell: String) -> Set<CommandKind> {
      let names = rows.filter { $0[2] == cell }.map { $0[0].filter { $0 != "`" } }
      return Set(names.compactMap { CommandKind(rawValue: $0) })
    }
    let car = try Car()
    car.addPlayer(status: "playing")
    try car.stream()
    try car.turn { car.state.session == Self.session && car.state.command(.next) != nil }
    let offered = Set(car.state.commands.map(\.kind))
    #expect(offered.isSuperset(of: kinds("yes")) && kinds("yes").contains(.play))
    // This phone supports shuffle, but not repeat.
    #expect(offered.subtracting(kinds("yes")) == [.changeShuffleMode])
    #expect(kinds("if the phone has it") == [.changeShuffleMode, .changeRepeatMode])
    // The configured buttons stay where they are. Those whose command the phone does not have are grey.
    #expect(car.state.template.buttons.map(\.kind) == [.shuffle, .repeat, .more])
    #expect(car.state.template.buttons.map(\.isEnabled) == [true, false, true])
    car.bench.bluez.setPlayer(Car.phone, 0, "Repeat", .string("off"))
    try car.turn { car.state.template.buttons.map(\.isEnabled) == [true, true, true] }
  }

  @Test func music_takesOver_andTheSongKeepsItsPosition() throws {
    let car = try Car()
    car.unit.player.resume()
    try car.turn { car.state.status == .playing && car.unit.player.elapsedSeconds > 0.3 }
    #expect(car.state.session == "local")
    car.addPlayer()
    try car.stream()
    car.setStatus("playing")
    try car.turn { car.state.session == Self.session && car.state.status == .playing }
    #expect(car.state.content?.lines().title == "Phone song")
    #expect(car.unit.player.state.isPaused)
    let elapsed = car.unit.player.elapsedSeconds
    #expect(elapsed > 0.2 && elapsed < 3)
    try car.turn(for: .milliseconds(400))
    #expect(car.unit.player.elapsedSeconds == elapsed)
    // The phone pauses, and the song of the unit stays paused too. Then a person plays the song on the unit.
    car.setStatus("paused")
    car.suspend()
    try car.turn { car.state.status == .paused }
    try car.turn(for: .milliseconds(300))
    #expect(car.unit.player.state.isPaused)
    car.unit.player.resume()
    try car.turn { car.state.session == "local" && car.state.status == .playing }
    #expect(abs(car.unit.player.elapsedSeconds - elapsed) < 0.5)
    try car.turn { car.unit.player.elapsedSeconds > elapsed + 0.3 }
  }

  @Test func localPlay_pausesThePhone_andDropsItsSound() throws {
    let car = try Car()
    car.addPlayer(status: "playing")
    try car.stream()
    try car.turn { car.state.session == Self.session && car.phones.isHeard }
    car.unit.player.resume()
    try car.turn { car.state.session == "local" && car.state.status == .playing }
    try car.turn { car.commands == ["Pause player0"] }
    #expect(!car.phones.isHeard)
    // The phone does not obey and continues to stream. Its sound is not heard.
    try car.turn(for: .milliseconds(500))
    #expect(!car.phones.isHeard && car.state.session == "local")
    // A person presses play on the phone.
    try car.pause()
    car.setStatus("playing")
    try car.turn { car.state.session == Self.session && car.phones.isHeard }
    #expect(car.unit.player.state.isPaused)
  }

  @Test func secondPhone_takesOver_andTheFirstIsPaused() throws {
    let car = try Car()
    car.addPlayer(status: "playing")
    try car.stream()
    try car.turn { car.state.session == Self.session && car.phones.isHeard }
    car.addPlayer(Car.other, status: "playing", title: "Other song")
    try car.stream(Car.other, endpoint: 1)
    try car.turn { car.state.session == Self.otherSession && car.phones.isHeard }
    try car.turn { car.commands == ["Pause player0"] }
    #expect(car.state.content?.lines().title == "Other song")
  }

  /// Two people press play on their phones again and again. The phone that starts last plays, and the unit tells the
  /// other phone to pause, once in each round.
  @Test func twoPhones_fight_theLastOneToStartPlays() throws {
    let car = try Car()
    let phones = [Car.phone, Car.other]
    for (endpoint, phone) in phones.enumerated() {
      car.addPlayer(phone, status: "playing")
      try car.stream(phone, endpoint: endpoint)
    }
    try car.turn { car.state.session == Self.otherSession && car.phones.isHeard }
    for round in 1...10 {
      let loser = phones[(round + 1) % 2]
      try car.turn { car.commands.count == round }
      try car.pause(loser)
      car.setStatus("playing", loser)
      try car.turn { car.state.session == SessionID("phone-\(loser)") && car.phones.isHeard }
    }
    try car.turn { car.commands.count == 11 }
    #expect(Set(car.commands) == ["Pause player0"])
    #expect(car.unit.player.state.isPaused || car.unit.player.state.isStopped)
  }

  @Test func duration_allBitsSet_isUnknown() throws {
    let car = try Car()
    car.addPlayer(status: "playing", milliseconds: .max)
    try car.stream()
    try car.turn { car.state.session == Self.session && car.phones.isHeard }
    #expect(car.state.content?.duration == nil)
  }

  /// The phone counts as lost only if it played shortly before bluetoothd ended.
  @Test(arguments: [true, false]) func bluetoothdEndsWhileThePhonePlays_thePhoneIsLost(
    plays: Bool
  ) throws {
    let car = try Car()
    var lost: [String] = []
    car.phones.onLoss = { address, name in lost.append("\(address) \(name)") }
    car.addPlayer(status: "playing")
    try car.stream()
    try car.turn { car.phones.isHeard }
    if !plays {
      car.setStatus("paused")
      car.suspend()
      try car.turn { !car.phones.isHeard }
      car.ahead = .seconds(2)
    }
    car.bench.bluez.crash()
    try car.turn { car.state.session == "local" }
    #expect(lost == (plays ? ["\(Car.phone) Ann's"] : []))
    #expect(!car.state.status.isAdvancing)
  }

  @Test func phoneLeaves_leavesSilence() throws {
    let car = try Car()
    car.unit.player.resume()
    try car.turn { car.state.status == .playing }
    car.addPlayer(status: "playing")
    try car.stream()
    try car.turn { car.state.session == Self.session && car.phones.isHeard }
    car.bench.bluez.closeStream(Car.phone)
    car.bench.bluez.disconnect(Car.phone, reason: "Timeout")
    var lost = false
    car.phones.onLoss = { _, _ in lost = true }
    try car.turn { car.state.session == "local" }
    try car.turn(for: .milliseconds(300))
    #expect(car.state.status == .paused && car.unit.player.state.isPaused && !lost)
  }

  /// The driver switches the ignition off and leaves with the phone. When the ignition is on again, the song resumes.
  @Test func phoneThatHasNotPlayedLeavesDuringAnInterruption_songResumes() throws {
    let car = try Car()
    car.unit.player.resume()
    try car.turn { car.state.status == .playing }
    car.addPlayer()
    try car.turn { car.knows(Car.phone) }
    let ignition = car.unit.center.beginInterruption(.other("ignition"), at: .now())
    try car.turn { car.unit.player.state.isPaused }
    car.bench.bluez.disconnect(Car.phone, reason: "Timeout")
    try car.turn { !car.knows(Car.phone) }
    car.unit.center.endInterruption(ignition, shouldResume: true, at: .now())
    try car.turn { car.state.session == "local" && car.state.status == .playing }
  }

  /// A phone that is told to play before its sound is connected would play through its own loudspeaker. So the unit
  /// waits.
  @Test func choose_phoneWithoutSound_isToldToPlayWhenItsSoundIsConnected() throws {
    let car = try Car()
    car.addPlayer()
    try car.turn { car.knows(Car.phone) }
    let device = try #require(car.link.connected.first)
    var answer: Refusal??
    car.phones.choose(device) { answer = .some($0) }
    try car.turn { car.state.session == Self.session && car.state.status == .buffering }
    try car.turn(for: .milliseconds(200))
    #expect(answer == .some(nil) && car.commands.isEmpty)
    try car.configure()
    try car.turn { car.commands == ["Play player0"] }
  }

  /// People want the held phone to play. A person chooses it, and its hold ends. It gets one command *play*.
  @Test func choose_heldPhoneThatWasPlaying_getsPlayOnce() throws {
    let car = try Car()
    car.addPlayer(status: "playing")
    try car.stream()
    try car.turn { car.state.session == Self.session && car.phones.isHeard }
    car.unit.player.resume()
    try car.turn { car.state.session == "local" && car.commands == ["Pause player0"] }
    try car.pause()
    let device = try #require(
      car.link.connected.first { car.link.reading($0)?.address == Car.phone })
    var answer: Refusal??
    car.phones.choose(device) { answer = .some($0) }
    try car.turn { answer != nil && car.commands.count > 1 }
    #expect(car.state.session == Self.session && car.state.hold == .resuming)
    car.setStatus("playing")
    try car.turn { car.state.status == .playing && car.phones.isHeard }
    #expect(answer == .some(nil) && car.commands == ["Pause player0", "Play player0"])
  }

  /// The player of a phone appears some seconds after the phone has connected.
  @Test func choose_phoneWithoutPlayer_isToldToPlayWhenItHasOne() throws {
    let car = try Car()
    try car.configure()
    let device = try #require(car.link.connected.first)
    try car.turn { car.phones.playing(device) != nil }
    var answer: Refusal??
    car.phones.choose(device) { answer = .some($0) }
    try car.turn { car.state.session == Self.session && car.state.status == .buffering }
    #expect(answer == .some(nil))
    car.addPlayer()
    try car.turn { car.commands == ["Play player0"] }
  }

  @Test func output_lostBeforeThePhoneConnects_pausesThePhoneUntilItIsBack() throws {
    let car = try Car(isConnected: false)
    car.phones.setOutputLost(true)
    car.bench.bluez.connect(Car.phone)
    car.addPlayer(status: "playing")
    try car.stream()
    try car.turn { car.commands == ["Pause player0"] }
    #expect(!car.phones.isHeard)
    car.phones.setOutputLost(false)
    try car.turn { car.commands.last == "Play player0" && car.phones.isHeard }
  }

  @Test func commands_reachThePhone() throws {
    let car = try Car()
    car.addPlayer(status: "playing")
    try car.stream()
    try car.turn { car.state.session == Self.session && car.state.status == .playing }
    let requests: [MediaRequest] = [
      .next, .previous, .seekForward(.begin), .seekForward(.end), .changeShuffleMode(.items),
      .pause,
    ]
    for request in requests {
      let count = car.playerCalls.count
      car.send(request)
      try car.turn { car.playerCalls.count > count }
    }
    #expect(
      car.playerCalls == [
        "Next player0", "Previous player0", "FastForward player0", "Release player0",
        "Set player0 Shuffle alltracks", "Pause player0",
      ])
    // The sound of the phone stops at the command *pause*, before the phone itself pauses.
    #expect(car.state.status == .paused && !car.phones.isHeard)
    car.send(.play)
    try car.turn { car.phones.isHeard && car.commands.last == "Play player0" }
  }

  /// The unit reports the delay of the sound to the phone, so that the phone can delay the picture of a video too.
  @Test func delay_isReportedToThePhone() throws {
    let car = try Car()
    car.addPlayer(status: "playing")
    try car.stream()
    try car.turn { (car.bench.bluez.transport(Car.phone, "Delay")?.integer ?? 0) > 0 }
    // The delay, in tenths of a millisecond, is the target of the lead. At the start, this target is 80 ms.
    let delay = try #require(car.bench.bluez.transport(Car.phone, "Delay")?.integer)
    #expect(delay >= 800 && delay <= 2500)
  }

  @Test func status_countsThePackets() throws {
    let car = try Car()
    car.addPlayer(status: "playing")
    try car.stream()
    try car.turn { (car.phones.statuses.first?.stream?.report.packets.packets ?? 0) > 30 }
    let phone = try #require(car.phones.statuses.first)
    #expect(phone.address == Car.phone && phone.hasPlayer && phone.hasPosition)
    #expect(phone.status == "playing" && !phone.isSilenced)
    let stream = try #require(phone.stream)
    #expect(stream.isPlayed && stream.isMusic && stream.configuration.rate == 44_100)
    #expect(stream.report.packets.lost == 0 && stream.report.packets.damaged == 0)
    #expect(stream.report.driftPPM == nil && !stream.report.isResampled)
    car.send(.pause)
    try car.turn { car.phones.statuses.first?.isSilenced == true }
  }

  @Test func position_isThatOfThePhone() throws {
    let car = try Car()
    car.addPlayer(status: "playing")
    try car.stream()
    try car.turn { car.state.status == .playing && car.state.elapsed(at: .now()) != nil }
    let elapsed = try #require(car.state.elapsed(at: .now()))
    #expect(elapsed >= .seconds(5) && elapsed < .seconds(8))
    #expect(car.state.content?.duration == .finite(.seconds(180)))
    car.bench.bluez.setPlayer(Car.phone, 0, "Position", .uint32(100_000))
    try car.turn { (car.state.elapsed(at: .now()) ?? .zero) >= .seconds(100) }
  }

  /// The position stays at the last position that was heard, even before the phone reports the pause.
  @Test func pause_keepsThePosition() throws {
    let car = try Car()
    car.addPlayer(status: "playing")
    try car.stream()
    try car.turn { (car.state.elapsed(at: .now()) ?? .zero) > .seconds(6) }
    car.send(.pause)
    try car.turn { car.state.status == .paused }
    let paused = try #require(car.state.elapsed(at: .now()))
    #expect(paused > .seconds(6) && paused < .seconds(20))
    try car.turn(for: .milliseconds(300))
    #expect(car.state.elapsed(at: .now()) == paused)
  }

  /// The phone is Now Playing, and its stream is a prompt and not music. The prompt must not wake the control thread
  /// again and again.
  @Test func promptOfThePhoneThatIsNowPlaying_leavesTheLoopAlone() throws {
    let car = try Car()
    car.addPlayer(status: "playing")
    try car.stream()
    try car.turn { car.state.session == Self.session && car.phones.isHeard }
    car.setStatus("paused")
    car.suspend()
    try car.turn { car.state.status == .paused && !car.phones.isHeard }
    try car.stream()
    try car.turn { car.phones.isHeard }
    try car.turn(for: .milliseconds(400))
    let next = try #require(car.phones.nextDeadline)
    #expect(next > .now())
    #expect(car.phones.hasNewSound())
    car.suspend()
    try car.turn { !car.phones.isHeard }
    #expect(!car.phones.hasNewSound())
  }

  /// Returns a car whose phone has played until a call paused the phone, and the identifier of the call.
  private func interruptedCar() throws -> (Car, Int) {
    let car = try Car()
    car.addPlayer(status: "playing")
    try car.stream()
    try car.turn { car.state.session == Self.session && car.phones.isHeard }
    let call = car.unit.center.beginInterruption(.call, at: .now())
    try car.turn { car.commands == ["Pause player0"] && !car.phones.isHeard }
    return (car, call)
  }

  @Test func interruption_pausesThePhone_andItsEndResumesIt() throws {
    let (car, call) = try interruptedCar()
    car.unit.center.endInterruption(call, shouldResume: true, at: .now())
    try car.turn { car.commands.last == "Play player0" && car.phones.isHeard }
  }

  @Test func interruption_phoneIgnoresPlay_oneMorePressIsSent() throws {
    let (car, call) = try interruptedCar()
    try car.pause()
    car.suspend()
    // The interruption has silenced the stream before, so only its end shows that the unit knows of the suspension.
    try car.turn { car.phones.statuses.first?.stream == nil }
    #expect(!car.phones.isHeard)
    car.unit.center.endInterruption(call, shouldResume: true, at: .now())
    try car.turn { car.commands == ["Pause player0", "Play player0"] }
    // The state has the reason why nothing sounds: the phone was told to play.
    #expect(car.state.status == .interrupted && car.state.hold == .resuming)
    #expect(car.state.transport.central?.isEnabled == true)
    car.ahead = .seconds(11)
    try car.turn { car.phones.nextDeadline == nil }
    #expect(car.state.status == .paused && car.state.hold == nil)
    car.send(.play)
    try car.turn { car.commands == ["Pause player0", "Play player0", "Play player0"] }
  }
}
