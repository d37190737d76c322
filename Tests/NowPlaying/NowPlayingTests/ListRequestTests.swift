import NowPlaying
import Testing

/// Tests requests about a list, which the center sends to the owner of the list.
@Suite struct ListRequestTests {
  private let bench = Bench(playing: true)
  private let owner = ScriptedListOwner("local")

  init() { bench.center.add(listOwner: owner) }

  private func verdict(_ number: Int) -> CommandRecord.Verdict? {
    bench.center.trace[number]?.verdict
  }

  @Test func listOfTheUnit_goesToTheUnit_alsoBehindAPhone() {
    let phone = ScriptedSource("phone", in: bench.center, clock: bench.clock)
    phone.play()
    #expect(bench.state.session == "phone")
    let request = ListRequest.play(list: "album:1f", row: nil, mode: "now")
    let number = bench.screen.send(.list(request))
    #expect(owner.requests == [request])
    #expect(verdict(number) == .accepted("local"))
    #expect(bench.screen.answers == [])
    owner.replies[0](.success, at: bench.clock.now)
    #expect(bench.screen.answers == [.success])
    owner.replies[0].heard(at: bench.clock.now.advanced(by: .milliseconds(3)))
    #expect(bench.center.trace[number]?.heard != nil)
  }

  @Test func listOfAnotherOwner_goesToThisOwner_orIsRefused() {
    let app = ScriptedListOwner("app")
    bench.center.add(listOwner: app, prefix: "app:one")
    bench.screen.send(.list(.play(list: "app:one/station", row: nil, mode: "now")))
    #expect(app.requests.count == 1 && owner.requests.isEmpty)
    let number = bench.screen.send(.list(.playSource("app:two/x")))
    #expect(verdict(number) == .refused(.noListOwner))
    #expect(bench.screen.answers.map(\.refusal?.code) == [.noSuchContent])
  }

  @Test func deferredRequest_isAnsweredOnce_withSuccess() {
    let number = bench.screen.send(.list(.jump(.nextAlbum)))
    owner.replies[0].deferred(at: bench.clock.now)
    #expect(bench.screen.answers == [.success])
    #expect(verdict(number) == .deferred)
    owner.replies[0](.failed(Refusal(.failed, "late")), at: bench.clock.now)
    owner.replies[0].deferred(at: bench.clock.now)
    #expect(bench.screen.answers == [.success])
    #expect(bench.center.trace[number]?.answer == .success)
    #expect(bench.center.nextDeadline == nil)
  }

  @Test func itemOfTheUnitsQueue_doesNotReachAPhoneWithAQueue() {
    let phone = ScriptedSource("phone", in: bench.center, clock: bench.clock)
    phone.play()
    let performed = phone.performed.count
    bench.screen.send(.playQueueItem("queue:3"))
    #expect(bench.source.performed.last == "play queue:3")
    #expect(phone.performed.count == performed)
  }

  @Test func ownerThatIsGone_isMissed() {
    bench.center.add(listOwner: ScriptedListOwner("app"), prefix: "app:one")
    let number = bench.screen.send(.list(.playSource("app:one/x")))
    #expect(verdict(number) == .refused(.noListOwner))
  }
}
