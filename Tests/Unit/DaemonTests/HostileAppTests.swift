import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// Programs that abuse the interfaces of sources. The music of others continues, other programs get answers, and the
/// memory of the daemon does not grow. `AUTOHARP_MARKS` is the number of marks that a program sends (default 3000).
@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct HostileAppTests {
  /// Packets that are not valid, or whose frames are not.
  private static let packets: [[UInt8]] = {
    func packet(type: UInt32 = 0, _ number: UInt64, _ content: [UInt8]) -> [UInt8] {
      func bytes<Number>(_ value: Number) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
      return bytes(type.littleEndian) + bytes(UInt32(0)) + bytes(number.littleEndian) + content
    }
    let floats = [
      Float.nan, -.nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ]
    let samples = (0..<480).flatMap { index in
      withUnsafeBytes(of: floats[index % floats.count].bitPattern.littleEndian) { Array($0) }
    }
    return [
      [], [0], [UInt8](repeating: 255, count: 15), packet(0, []), packet(0, [1, 2, 3]),
      packet(0, [UInt8](repeating: 1, count: 40_000)), packet(type: 1, 0, samples),
      packet(1 << 60, samples), packet(.max, samples), packet(1 << 40, samples),
      packet(0, samples), packet(0, Array(samples.dropLast())),
    ]
  }()

  /// One hostile program, from its start to its death.
  private func abuse(_ bench: AppBench, marks: Int) throws {
    var good: SocketApp? = try SocketApp(bench, "good", tag: nil)
    good?.publish(.paused)
    var evil: SocketApp? = try SocketApp(bench, "evil", tag: nil)
    let sound = try #require(try evil?.openSound(9, samples: .f32))
    sound.wanted = 0
    // It is held, so nothing reads its packets.
    evil?.publish(.playing())
    var sent = 0
    while sent < 100_000, sound.send(Self.packets[sent % Self.packets.count]) { sent += 1 }
    #expect(sent < 100_000)
    try answered(good)
    // It plays the same packets, and more packets as fast as they are taken.
    try bench.choose("evil")
    _ = try bench.send(.play)
    var taken = 0
    try bench.turn {
      while sound.send(Self.packets[taken % Self.packets.count]) { taken += 1 }
      return taken > 2000
    }
    try answered(good)
    // Marks, and calls of all kinds, without waiting for an answer.
    var answers = 0
    for number in 0..<marks {
      let mark = SoundMark(
        frame: number % 2 == 0 ? number : SoundMark.frameLimit - 1,
        content: SocketApp.song("mark \(number)"), time: .nanoseconds(Int64.max),
        rate: 100, defaultRate: 0.001)
      evil?.client.call(Sound1.mark, Numbered(sound.number, mark)) { _ in answers += 1 }
      if number % 500 == 499 { try bench.turn { answers > number - 200 } }
    }
    for number in 0..<200 {
      evil?.publish(number % 2 == 0 ? .playing(rate: 100) : .paused)
      evil?.client.call(Sound1.flush, Numbered(sound.number, 1 << (number % 50))) { _ in }
      evil?.client.call(Sound1.finish, Numbered(sound.number, 0)) { _ in }
      if let session = evil?.session {
        evil?.client.call(
          Session1.answer, Numbered(session, Numbered(number, .success))
        ) { _ in }
      }
    }
    try bench.turn { answers == marks }
    try answered(good)
    bench.apps = []
    (evil, good) = (nil, nil)
    try bench.playOwn()
  }

  /// Another program gets an answer.
  private func answered(_ app: SocketApp?) throws {
    guard let app else { return }
    let answer = try app.bench.answer {
      app.client.call(Session1.setActive, Numbered(app.session, true), $0)
    }
    // On a fast machine, this program itself calls too often. That is an answer, too.
    if case .failure(let error) = answer { #expect(error.refusal.code == .tooManyCalls) }
  }

  @Test func programThatAbusesItsCalls_disturbsNobody() throws {
    let marks =
      ProcessInfo.processInfo.environment["AUTOHARP_MARKS"].flatMap { Int($0) } ?? 3000
    try repeatedWhileBusy {
      let bench = try AppBench(plays: true)
      try abuse(bench, marks: 500)
      let before = try bench.residentKiB()
      for _ in 0..<3 { try abuse(bench, marks: marks / 3) }
      let grown = try bench.residentKiB() - before
      print("hostile program: the memory of the daemon has grown by \(grown) KiB")
      // The allocator keeps pieces of memory, so less than this says nothing.
      #expect(grown < 8 << 10)
      #expect(bench.daemon.isRunning)
      guard !bench.daemon.logged(.outputUnderrun) else { throw MachineTooBusy() }
      #expect(bench.daemon.end() == 0)
    }
  }

  /// The program is stopped while it plays, and never reads again.
  @Test func stoppedProgram_isSilencedByAPerson_andOthersPlay() throws {
    let bench = try AppBench(plays: true)
    let tones = ChildProcess()
    tones.executableURL = ServeProcess.program.deletingLastPathComponent()
      .appendingPathComponent("ToneGenerator")
    tones.environment = ProcessInfo.processInfo.environment.merging([
      "AUTOHARP_SOCKET": bench.home.socket
    ]) { $1 }
    tones.standardInput = FileHandle.nullDevice
    try tones.run()
    #expect(bench.daemon.waits(for: .appOpened) != nil)
    try bench.turn {
      let sources = try? bench.answer { bench.screen.call(Sources1.sources.get, $0) }.get()
      return sources?.contains { $0.report.identity == "app:tone" } == true
    }
    try bench.choose("tone")
    try bench.turn { bench.state.session == "app-tone" && bench.state.status == .playing }
    kill(tones.processIdentifier, SIGSTOP)
    let before = try bench.residentKiB()
    // The pause is refused in the end, but the sound is silent at once.
    var answers = 0
    let count = 300
    for number in 0..<count {
      let request: MediaRequest = [.pause, .play, .next, .pause][number % 4]
      bench.screen.call(Commands1.send, SentCommand(.media(request))) { _ in answers += 1 }
    }
    try bench.turn { answers == count }
    #expect(bench.state.status != .playing)
    print("stopped program: the daemon has grown by \(try bench.residentKiB() - before) KiB")
    #expect(try bench.residentKiB() - before < 8 << 10)
    kill(tones.processIdentifier, SIGKILL)
    tones.waitUntilExit()
    try bench.playOwn()
    #expect(bench.daemon.end() == 0)
  }
}
