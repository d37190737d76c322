import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// Programs that die or hang in each state, and a daemon that is killed (rules C2, C6 and C8 of docs/now-playing.md).
@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct AppEndTests {
  /// What an app does when it dies or hangs.
  enum Moment: CaseIterable {
    case opened, paused, waiting, playing, buffering, held, interrupted
  }

  /// Brings an app into a state. The music of the unit plays at first.
  private func app(_ moment: Moment, _ bench: AppBench) throws -> SocketApp {
    let app = try SocketApp(bench, "radio")
    if moment == .opened { return app }
    app.publish(.paused)
    if moment == .paused { return app }
    if moment == .held {
      app.publish(.playing())
      try bench.turn { app.instructions.contains(.pause(.takenOver)) }
      return app
    }
    app.sound.wanted = moment == .waiting ? 0 : moment == .buffering ? 20_000 : .max
    try bench.choose("radio")
    #expect(try bench.send(.play) == .success)
    switch moment {
    case .playing: try bench.turn { app.sound.heard?.frame ?? 0 > 4410 }
    case .buffering: try bench.turn { app.events.contains(.starved) }
    case .interrupted:
      try bench.done { _ = bench.screen.begin(.interruption(.alarm), $0) }
      try bench.turn { app.instructions.contains(.pause(.interruption(.alarm))) }
    default: break
    }
    return app
  }

  /// Each command gets one answer, whatever happens to the app. The music of the unit continues with the next frame.
  @Test func C2_C6_appThatDiesOrHangs_inEveryState_leavesNoCommandWithoutAnAnswer() throws {
    try repeatedWhileBusy {
      let bench = try AppBench(plays: true)
      for moment in Moment.allCases {
        for hangs in [false, true] {
          var app: SocketApp? = try app(moment, bench)
          app?.answers = false
          var answers: [Int] = []
          for (number, request) in [MediaRequest.pause, .play, .pause].enumerated() {
            bench.screen.call(Commands1.send, SentCommand(.media(request))) { result in
              if (try? result.get()) != nil { answers.append(number) }
            }
          }
          if hangs {
            try bench.turn { answers.count == 3 }
          }
          bench.apps = []
          app = nil
          try bench.turn { answers.count == 3 }
          #expect(answers.sorted() == [0, 1, 2], "\(moment) \(hangs)")
          if moment == .interrupted {
            try bench.done { _ = bench.screen.end(.interruption(.alarm), $0) }
          }
          try bench.playOwn()
        }
      }
      let played = try bench.heard().count
      try bench.turn { (try? bench.heard().count) ?? 0 > played + 44_100 }
      guard !bench.daemon.logged(.outputUnderrun) else { throw MachineTooBusy() }
      // No frame of the music of the unit is missing, although it was interrupted again and again.
      let runs = bench.own.found(in: try bench.heard())
      for (one, two) in zip(runs, runs.dropFirst()) {
        // A fade of 5 ms is not recognised. The frames that the card holds at a change are heard twice.
        #expect((-4000...600).contains(two.numbers.lowerBound - one.numbers.upperBound), "\(runs)")
      }
      #expect(bench.daemon.end() == 0)
    }
  }

  /// A session of a daemon that was killed is no session of the next one. The app opens it again and continues.
  @Test(arguments: [SIGKILL, SIGTERM])
  func C8_restartOfTheDaemon_refusesOldNumbers_andTheAppPlaysAgain(signal: Int32) throws {
    let bench = try AppBench()
    let app = try SocketApp(bench, "radio")
    app.publish(.paused)
    try bench.choose("radio")
    #expect(try bench.send(.play) == .success)
    try bench.turn { app.sound.heard?.frame ?? 0 > 44_100 }
    var lost: Result<CommandOutcome, ControlError>?
    app.answers = false
    bench.screen.call(Commands1.send, SentCommand(.media(.next))) { lost = $0 }
    try bench.turn { app.count(.next) == 1 }
    bench.apps = []
    try bench.restart(signal)
    try bench.turn { lost != nil && app.client.state == .connected }
    // The old numbers are refused, and the sockets have ended.
    #expect(
      try bench.code {
        app.client.call(Session1.publish, Numbered(app.session, app.publication), $0)
      } == .noSuchSession)
    #expect(!app.sound.send(app.sound.frames.packet(0..<480)))
    #expect(try bench.send(.next) != .success)
    let again = try SocketApp(bench, "radio", tag: 2)
    // A killed daemon has possibly not saved the wish yet.
    if signal == SIGTERM { #expect(again.welcome.hasPlayed) }
    again.publish(.playing())
    try bench.turn { again.sound.heard?.frame ?? 0 > 4410 && bench.state.status == .playing }
    #expect(bench.daemon.end() == 0)
  }
}
