import AVRCPTarget
import EventLoop
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// Tests ``ReconnectPlan``, which has no clock. The tests pass the time of each call.
@Suite struct ReconnectPlanTests {
  /// The phones that have pressed a key. Some tests pass another set instead.
  private let proven: Set<String> = ["a", "b", "c"]
  private let start = MonotonicInstant(awake: .seconds(1000))
  private func after(_ milliseconds: Int64) -> MonotonicInstant {
    start.advanced(by: .milliseconds(milliseconds))
  }

  private func plan(_ phones: [String], connected: Set<String> = []) -> ReconnectPlan {
    var plan = ReconnectPlan(seed: 7)
    plan.update(
      dialable: phones, linked: connected, connected: connected, proven: proven, at: start)
    return plan
  }

  private func expectNext(
    _ plan: inout ReconnectPlan, _ phone: String?, at now: MonotonicInstant,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let next = plan.next(at: now)
    #expect(next == phone, sourceLocation: sourceLocation)
  }

  private func wait(_ plan: ReconnectPlan, _ phone: String, from now: MonotonicInstant) -> Int64 {
    let due = plan.candidates[phone]?.due ?? now
    let (seconds, attoseconds) = due.wholeTime(since: now).components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  @Test func next_startsWithTheLastUsed_oneAtATime() {
    var plan = plan(["a", "b", "c"])
    expectNext(&plan, "a", at: start)
    expectNext(&plan, nil, at: start)
    #expect(plan.nextDeadline == nil)
    plan.finished("a", .absent, at: after(5000))
    expectNext(&plan, "b", at: after(5000))
    plan.finished("b", .connected, at: after(5100))
    expectNext(&plan, "c", at: after(5100))
  }

  @Test func finished_noAnswer_doublesTheWait_withJitter() {
    var plan = plan(["a"])
    var now = start
    var waits: [Int64] = []
    for _ in 0..<12 {
      expectNext(&plan, "a", at: now)
      plan.finished("a", .absent, at: now)
      waits.append(wait(plan, "a", from: now))
      now = plan.nextDeadline ?? now
    }
    for (index, wait) in waits.enumerated() {
      let middle = min(Int64(5000) << min(index, 10), 300_000)
      #expect((middle * 8 / 10...middle * 12 / 10).contains(wait), "\(index): \(wait)")
    }
    #expect(Set(waits.suffix(5)).count > 1)
    // Different seeds give different waiting times. Equal seeds give equal waiting times.
    for (seed, isSame) in [(7, true), (8, false)] as [(UInt64, Bool)] {
      var plan = ReconnectPlan(seed: seed)
      plan.update(dialable: ["a"], linked: [], connected: [], proven: proven, at: start)
      _ = plan.next(at: start)
      plan.finished("a", .absent, at: start)
      #expect((wait(plan, "a", from: start) == waits[0]) == isSame)
    }
  }

  // MARK: Devices that have never pressed a key

  private func unproven() -> ReconnectPlan {
    var plan = ReconnectPlan(seed: 7)
    plan.update(dialable: ["a"], linked: [], connected: [], proven: [], at: start)
    return plan
  }

  /// Dials until no attempt is planned, but at most twenty times. Returns the number of attempts.
  /// - Parameter answers: if true, the device accepts each connection, and then disconnects.
  private func dial(
    _ plan: inout ReconnectPlan, answers: Bool = false, from now: MonotonicInstant
  ) -> Int {
    var (count, now) = (0, now)
    while count < 20, plan.next(at: now) == "a" {
      count += 1
      if answers {
        plan.update(dialable: ["a"], linked: ["a"], connected: ["a"], proven: [], at: now)
        plan.finished("a", .connected, at: now)
        plan.lost("a", .byPhone, at: now)
        plan.update(dialable: ["a"], linked: [], connected: [], proven: [], at: now)
      } else {
        plan.finished("a", .absent, at: now)
      }
      now = plan.nextDeadline ?? now
    }
    return count
  }

  @Test(arguments: [false, true])
  func next_unproven_isDialledFourTimes(answers: Bool) {
    var plan = unproven()
    #expect(dial(&plan, answers: answers, from: start) == ReconnectPlan.unprovenLimit)
    #expect(plan.candidates["a"]?.isSuspended == true)
    plan.makeDue("a", at: start)
    #expect(dial(&plan, answers: answers, from: start) == ReconnectPlan.unprovenLimit)
  }

  @Test func next_unprovenThatConnectsByItself_isDialledAgain() {
    var plan = unproven()
    #expect(dial(&plan, from: start) == ReconnectPlan.unprovenLimit)
    plan.update(dialable: ["a"], linked: ["a"], connected: ["a"], proven: [], at: start)
    plan.lost("a", .unreachable, at: start)
    plan.update(dialable: ["a"], linked: [], connected: [], proven: [], at: start)
    #expect(dial(&plan, from: plan.nextDeadline ?? start) == ReconnectPlan.unprovenLimit)
  }

  @Test func next_provenMeanwhile_isDialledWithoutLimit() {
    var plan = unproven()
    #expect(dial(&plan, from: start) == ReconnectPlan.unprovenLimit)
    plan.update(dialable: ["a"], linked: [], connected: [], proven: ["a"], at: start)
    #expect(dial(&plan, from: start) == 20)
  }

  @Test func next_provenDevices_comeFirst() {
    var plan = ReconnectPlan(seed: 7)
    plan.update(dialable: ["a", "b"], linked: [], connected: [], proven: ["b"], at: start)
    expectNext(&plan, "b", at: start)
    plan.finished("b", .absent, at: start)
    expectNext(&plan, "a", at: start)
  }

  // MARK: Crossed attempts and refusals

  @Test func finished_crossedAttempts_areRepeatedSoon_upToALimit() {
    var plan = plan(["a"])
    var now = start
    for _ in 0..<5 {
      expectNext(&plan, "a", at: now)
      plan.finished("a", .crossed, at: now)
      #expect((300...1500).contains(wait(plan, "a", from: now)))
      now = plan.nextDeadline ?? now
    }
    expectNext(&plan, "a", at: now)
    plan.finished("a", .crossed, at: now)
    #expect(wait(plan, "a", from: now) >= 4000)
  }

  @Test func phoneThatRefuses_isSuspended_untilAPersonRequestsIt() {
    var plan = plan(["a"])
    func refuse() {
      var now = start
      for _ in 0..<3 {
        expectNext(&plan, "a", at: now)
        plan.finished("a", .refused, at: now)
        now = plan.nextDeadline ?? now
      }
    }
    refuse()
    #expect(plan.candidates["a"]?.isSuspended == true && plan.nextDeadline == nil)
    plan.makeDue("a", at: start)
    expectNext(&plan, "a", at: start)
    plan.finished("a", .connected, at: start)
    plan.lost("a", .unreachable, at: start)
    #expect((1600...2400).contains(wait(plan, "a", from: start)))
  }

  @Test func lost_waitDependsOnTheReason() {
    func due(_ loss: ReconnectPlan.Loss) -> Int64? {
      var plan = plan(["a"], connected: ["a"])
      #expect(plan.nextDeadline == nil)
      plan.lost("a", loss, at: start)
      return plan.nextDeadline == nil ? nil : wait(plan, "a", from: start)
    }
    #expect((1600...2400).contains(due(.unreachable) ?? 0))
    #expect((24_000...36_000).contains(due(.byPhone) ?? 0))
    #expect(due(.byUnit) == nil)
    #expect((4000...6000).contains(due(.keyMismatch) ?? 0))
  }

  @Test(arguments: [ReconnectPlan.Outcome.refused, .absent])
  func linkOfARefusedAttempt_keepsTheRefusals_untilThePhoneConnects(
    _ outcome: ReconnectPlan.Outcome
  ) {
    var plan = plan(["a"])
    var now = start
    for number in 1...3 {
      expectNext(&plan, "a", at: now)
      plan.update(dialable: ["a"], linked: ["a"], connected: [], proven: proven, at: now)
      #expect(plan.dialled == "a")
      plan.finished("a", outcome, at: now)
      plan.lost("a", .byPhone, at: now)
      plan.update(dialable: ["a"], linked: [], connected: [], proven: proven, at: now)
      #expect(plan.candidates["a"]?.refusals == number)
      now = plan.nextDeadline ?? now
    }
    #expect(plan.candidates["a"]?.isSuspended == true && plan.nextDeadline == nil)
    // The phone connects by itself. This clears the refusals.
    plan.update(dialable: ["a"], linked: ["a"], connected: ["a"], proven: proven, at: now)
    #expect(plan.candidates["a"]?.refusals == 0)
    plan.lost("a", .unreachable, at: now)
    #expect(plan.nextDeadline != nil)
  }

  @Test func linkWithoutRemoteControl_isDialledAfterFiveSeconds() {
    var plan = plan(["a"])
    plan.finished("a", .absent, at: start)
    plan.finished("a", .absent, at: start)
    #expect(wait(plan, "a", from: start) > 5000)
    plan.update(dialable: ["a"], linked: ["a"], connected: [], proven: proven, at: start)
    #expect(wait(plan, "a", from: start) == 5000)
    // Another update in the meantime does not delay the attempt.
    plan.update(dialable: ["a"], linked: ["a"], connected: [], proven: proven, at: after(2000))
    #expect(wait(plan, "a", from: start) == 5000)
  }

  @Test func phoneThatConnects_delaysItsDueAttempt() {
    var plan = plan(["a"], connected: ["a"])
    plan.update(dialable: ["a"], linked: ["a"], connected: [], proven: proven, at: start)
    plan.lost("a", .unreachable, at: start)
    plan.update(dialable: ["a"], linked: [], connected: [], proven: proven, at: start)
    #expect(wait(plan, "a", from: start) <= 2400)
    plan.update(dialable: ["a"], linked: ["a"], connected: [], proven: proven, at: after(1500))
    #expect(wait(plan, "a", from: start) == 6500)
  }

  @Test func phoneThatEndsTheLinkOfAnAttempt_hasRefused() {
    var plan = plan(["a"])
    var now = start
    for number in 1...3 {
      expectNext(&plan, "a", at: now)
      plan.update(dialable: ["a"], linked: ["a"], connected: [], proven: proven, at: now)
      // BlueZ reports this attempt as "canceled", so its outcome is `.crossed`.
      plan.finished("a", .crossed, at: now)
      plan.lost("a", .byPhone, at: now)
      plan.update(dialable: ["a"], linked: [], connected: [], proven: proven, at: now)
      #expect(plan.candidates["a"]?.refusals == number)
      now = plan.nextDeadline ?? now
    }
    #expect(plan.candidates["a"]?.isSuspended == true)
  }

  @Test(arguments: [[ReconnectPlan.Loss.byPhone], [.unreachable, .byPhone]])
  func phoneThatEndsAConnectionOfTheUnit_isNotDialledUntilItConnects(
    _ reports: [ReconnectPlan.Loss]
  ) {
    var plan = plan(["a"])
    func connect() {
      plan.update(dialable: ["a"], linked: ["a"], connected: ["a"], proven: proven, at: start)
    }
    func end() {
      for loss in reports { plan.lost("a", loss, at: start) }
      plan.update(dialable: ["a"], linked: [], connected: [], proven: proven, at: start)
    }
    expectNext(&plan, "a", at: start)
    plan.update(dialable: ["a"], linked: ["a"], connected: [], proven: proven, at: start)
    plan.finished("a", .connected, at: start)
    connect()
    end()
    #expect(plan.candidates["a"]?.isSuspended == true && plan.nextDeadline == nil)
    // This time the phone connects by itself before a person ends the connection on the phone. So the unit plans an
    // attempt.
    connect()
    end()
    #expect(plan.candidates["a"]?.isSuspended == false)
    #expect((24_000...36_000).contains(wait(plan, "a", from: start)))
  }

  @Test func keyMismatch_countsOncePerAttempt() {
    var plan = plan(["a"])
    expectNext(&plan, "a", at: start)
    plan.update(dialable: ["a"], linked: ["a"], connected: [], proven: proven, at: start)
    plan.finished("a", .refused, at: start)
    // BlueZ reports the loss twice: first without the reason, then with the reason.
    plan.lost("a", .unreachable, at: start)
    plan.lost("a", .keyMismatch, at: start)
    #expect(plan.candidates["a"]?.refusals == 1)
  }

  @Test func dial_duringAnotherAttempt_replacesIt() {
    var plan = plan(["a", "b"])
    expectNext(&plan, "a", at: start)
    plan.makeDue("b", at: start)
    plan.dial("b")
    plan.finished("b", .absent, at: start)
    expectNext(&plan, "a", at: start)
  }

  @Test func remoteControlEnds_phoneIsDialledAfterARest() {
    var plan = plan(["a"], connected: ["a"])
    plan.update(dialable: ["a"], linked: ["a"], connected: [], proven: proven, at: start)
    #expect((24_000...36_000).contains(wait(plan, "a", from: start)))
  }

  @Test func disconnectedByTheUnit_whileDialled_isNotDialledAgain() {
    var plan = plan(["a"])
    expectNext(&plan, "a", at: start)
    plan.lost("a", .byUnit, at: start)
    plan.finished("a", .crossed, at: start)
    #expect(plan.nextDeadline == nil && plan.dialled == nil)
  }

  @Test func phoneThatConnectsWhileDialled_isNotDialledAgain() {
    var plan = plan(["a", "b"])
    expectNext(&plan, "a", at: start)
    plan.update(dialable: ["a", "b"], linked: ["a"], connected: ["a"], proven: proven, at: start)
    plan.finished("a", .crossed, at: start)
    expectNext(&plan, "b", at: start)
    plan.finished("b", .connected, at: start)
    #expect(plan.nextDeadline == nil)
  }

  @Test func loss_isReadFromBluezsReason() {
    let losses = ["Remote", "Local", "Authentication", "Timeout"].map(
      ReconnectPlan.Loss.init(reason:))
    #expect(losses == [.byPhone, .byPhone, .keyMismatch, .unreachable])
  }

  @Test func forgottenPhone_isNotDialled() {
    var plan = plan(["a", "b"])
    expectNext(&plan, "a", at: start)
    plan.update(dialable: ["b"], linked: [], connected: [], proven: proven, at: start)
    #expect(plan.dialled == nil)
    expectNext(&plan, "b", at: start)
  }

  @Test(arguments: [
    ("org.bluez.Error.InProgress", "", ReconnectPlan.Outcome.crossed),
    ("org.bluez.Error.Failed", "Resource temporarily unavailable", .crossed),
    ("org.bluez.Error.Failed", "br-connection-busy", .crossed),
    ("org.bluez.Error.AlreadyConnected", "Already Connected", .connected),
    ("org.bluez.Error.Failed", "br-connection-page-timeout", .absent),
    ("org.bluez.Error.Failed", "Host is down", .absent),
    ("org.bluez.Error.Failed", "br-connection-refused", .refused),
    ("org.bluez.Error.Failed", "br-connection-profile-unavailable", .refused),
    ("org.bluez.Error.NotAvailable", "", .refused),
  ])
  func outcome_isReadFromBluezsError(
    _ name: String, _ message: String, _ outcome: ReconnectPlan.Outcome
  ) {
    #expect(ReconnectPlan.Outcome(errorName: name, message: message) == outcome)
  }
}
