import AudioCodecs
import AudioEngine
import Control
import EventLoop
import HeadUnit
import LocalPlayer
import MusicFiles
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing
import UnitState

@testable import Daemon

/// The history and the reports of the sound, without the daemon. The test sends the events of the player.
@Suite struct UnitSoundTests {
  private let bench: PartsBench
  private var context: PartContext { bench.context }
  private var sound: UnitSound { bench.sound }

  init() throws {
    bench = try PartsBench { start, _ in
      start.chosenCard = { UnitDaemon.Start.SoundCard(kind: "usb", pcm: "hw:7") }
    }
  }

  /// Takes the messages for clients. Returns the identifiers of the trace events among them.
  private func takeTrace() -> [String] {
    context.outbox.take().compactMap { message in
      guard case .trace(.sink(let text, _)) = message else { return nil }
      return text.split(separator: ":").first.map(String.init)
    }
  }

  @Test func outputFailed_isKeptLoggedAndTold_untilTheOutputReturns() throws {
    #expect(
      try context.isTurnRequested { sound.handle(.outputFailed(SinkError("unplugged"))) })
    #expect(sound.history.failure?.reason == "unplugged" && context.logged(.outputFailed) == 1)
    let messages = context.outbox.take()
    try #require(messages.count == 2)
    guard case .trace = messages[0] else {
      Issue.record("\(messages)")
      return
    }
    #expect(messages[1] == .notice(UnitNotice(.outputGone)))
    sound.handle(.outputRegained)
    #expect(sound.history.failure == nil && context.logged(.outputReturned) == 1)
    #expect(context.takeNotices() == [UnitNotice(.outputBack)])
    #expect(sound.history.entries.count == 2)
  }

  @Test func outputOpened_namesTheChosenCard_andItsTestIsSaved() throws {
    #expect(sound.history.output == "null")
    var device = DeviceFormat(
      sampleRate: 44100, layout: .stereo, samples: .s16, periodFrames: 512, bufferFrames: 2048)
    device.cardTest = DeviceFormat.CardTest(card: "USB", step: 4)
    sound.handle(.output(device, conversion: nil))
    #expect(sound.history.output == "hw:7" && sound.history.device == device)
    #expect(takeTrace() == ["output.opened"] && context.logged(.outputOpened) == 1)
    bench.memory.saveLast()
    try context.loop.turn { bench.memory.hasStoredUnconfirmed }
    let next = UnitMemory(context.loop, context.settings, context.turns, log: context.log)
    #expect(next.opened.cardTests.map(\.card) == ["USB"])
    #expect(next.opened.cardTests.map(\.step) == [4])
    next.shutDown()
  }

  @Test func underruns_areAllCountedAndTraced_andOneOfThemIsLogged() {
    for number: Int64 in 1...3 { sound.handle(.ranDry(nanoseconds: number)) }
    #expect(sound.history.underruns == [1, 2, 3])
    #expect(context.logged(.outputUnderrun) == 1)
    #expect(takeTrace() == Array(repeating: "output.underrun", count: 3))
  }

  @Test func command_isLoggedAndTraced_whenItHasEnded() throws {
    let port = bench.unit.center.connect(SurfaceDescription(id: "test"), at: .now()) { _ in }
    // Nothing plays, so this command is refused at once.
    port.send(.media(.next), on: .text, at: .now())
    sound.update(at: .now())
    #expect(context.logged(.command) == 1 && sound.nextDeadline == nil)
    guard case .trace(.command(let command))? = context.outbox.take().first else {
      Issue.record("the command is not in the outbox")
      return
    }
    #expect(command.surface == "test" && command.code == .nothingPlaying)
    #expect(sound.latency.rows.isEmpty)
    // This command is accepted. Its effect is not heard, because nothing plays.
    port.send(.volume(.set(VolumeLevel(thousandths: 300))), on: .text, at: .now())
    sound.update(at: .now())
    let deadline = try #require(sound.nextDeadline)
    #expect(context.logged(.command) == 1)
    sound.update(at: deadline)
    #expect(context.logged(.command) == 2 && sound.nextDeadline == nil)
    #expect(sound.history.accepted.count == 1 && !sound.latency.rows.isEmpty)
  }

  @Test func messageAboutTheAmplifier_isLogged() throws {
    try sound.start()
    bench.failures.put("no line")
    try context.loop.turn { context.logged(.amplifierFailed) == 1 }
    #expect(!sound.isStalled)
  }

  /// Thousands of presses without effect must not displace the accepted commands.
  @Test func pressesWithoutEffect_keepTheAcceptedCommands() {
    func at(_ seconds: Int) -> MonotonicInstant { MonotonicInstant(awake: .seconds(seconds)) }
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let port = center.connect(SurfaceDescription(id: "phone"), at: at(0)) { _ in }
    var history = SoundHistory()
    for number in 0..<5000 {
      // The second press sets the volume to the maximum. All later presses have no effect.
      let change = number == 0 ? -25 : 50
      port.send(
        .volume(.change(thousandths: change)), on: .dbus, of: .bluetooth("Phone"), at: at(number))
      if let record = center.trace.records.last { history.add(record) }
    }
    #expect(center.trace.records.last?.number == 5000)
    #expect(history.accepted.map(\.number) == [1, 2])
  }

  @Test func reading_isOfSoundThatMustBeHeard_onlyWhileSomethingPlays() throws {
    #expect(!sound.reading.isWanted)
    try GeneratedMusic(channels: 1, rate: 8000, frames: 8000 * 60).flac(
      context.folder, "music/a.flac")
    var list = MusicFileList()
    list.add(
      nil, path: context.folder.path("music/a.flac"), title: nil, artist: nil, album: nil,
      seconds: nil)
    bench.unit.player.choose(
      list.take(), first: 0, at: 0, shuffled: false,
      from: QueueContext(list: "all", title: "", parent: ""))
    try context.loop.turn {
      _ = bench.unit.turn()
      return sound.reading.isWanted
    }
    let port = bench.unit.center.connect(SurfaceDescription(id: "test"), at: .now()) { _ in }
    port.send(.media(.pause), on: .text, at: .now())
    #expect(!sound.reading.isWanted)
  }
}
