import Console
import Reports
import Testing

@Suite struct DaemonPresenceTests {
  private var presence = DaemonPresence()
  private let dead = DaemonState.dead(reason: nil)

  private mutating func update(_ state: DaemonState, _ seconds: Double) -> [String] {
    presence.update(state, at: .seconds(seconds)).map(Self.word)
  }

  private mutating func advance(_ seconds: Double) -> [String] {
    presence.advance(to: .seconds(seconds)).map(Self.word)
  }

  private static func word(_ event: ConsoleEvent) -> String {
    switch event {
    case .away(let step, let state): "\(step.rawValue) \(state.word)"
    case .daemon(let state): state.word
    default: "\(event)"
    }
  }

  @Test mutating func absence_isSaidInSteps_once() {
    #expect(update(dead, 100) == [])
    #expect(presence.deadline == .seconds(102))
    #expect(advance(101.9) == [])
    #expect(advance(102) == ["starting dead"])
    #expect(update(.socketMissing(socket: "/x"), 105) == [])
    #expect(advance(109.9) == [])
    #expect(presence.deadline == .seconds(110))
    #expect(advance(110) == ["restarting socketMissing"])
    #expect(update(dead, 111) == [])
    #expect(advance(160) == ["lasting dead"])
    #expect(presence.deadline == nil && advance(1000) == [])
    #expect(update(.connected, 1001) == [])
    #expect(presence.deadline == .seconds(1003))
    #expect(advance(1003) == ["connected"])
    #expect(presence.deadline == nil)
  }

  @Test mutating func restartWithinTwoSeconds_saysNothing() {
    #expect(update(dead, 0) == [])
    #expect(update(.connected, 1.9) == [])
    #expect(presence.deadline == nil)
    #expect(update(dead, 3) == [])
    #expect(presence.deadline == .seconds(5), "a new absence")
  }

  /// Each run of the daemon ends after one second, so it does not count as a return.
  @Test mutating func shortRuns_continueTheAbsence() {
    #expect(update(dead, 0) == [] && advance(2) == ["starting dead"])
    for second in stride(from: 3.0, to: 9, by: 2) {
      #expect(update(.connected, second) == [])
      #expect(update(dead, second + 1) == [])
    }
    #expect(advance(10) == ["restarting dead"])
  }

  @Test mutating func loop_isSaidOnce_alsoIfEachRunTakesSomeSeconds() {
    let loop = DaemonState.restarting(count: 3, reason: nil)
    #expect(update(loop, 0) == ["restarting restarting"])
    for second in stride(from: 1.0, to: 54, by: 6) {
      #expect(update(.connected, second) == [] && advance(second + 5) == [])
      #expect(update(.restarting(count: Int(second), reason: nil), second + 5) == [])
    }
    #expect(advance(60) == ["lasting restarting"])
  }

  @Test mutating func hang_isNoStart_andHasLastedSinceTheLastAnswer() {
    #expect(update(.hangs(since: .seconds(5)), 100) == ["restarting hangs"])
    #expect(presence.deadline == .seconds(155))
  }

  @Test mutating func missingPermission_isSaidAtOnce() {
    let state = DaemonState.noPermission(socket: "/x")
    #expect(update(state, 0) == ["noPermission"])
    #expect(update(state, 1) == [] && presence.deadline == nil)
  }
}
