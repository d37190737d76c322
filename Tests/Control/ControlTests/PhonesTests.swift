import LibraryModel
import Console
import ConsoleLink
import Control
import EventLoop
import NowPlaying
import Reports
import TestKit
import Testing

@Suite struct PhonesTests {
  private let bench: Bench
  private var phones: FakePhones { bench.unit.fakePhones! }

  init() throws { bench = try Bench() }

  @Test func phonesState_encodedAndDecoded_isEqual() throws {
    let client = try bench.client()
    #expect(try bench.answer { client.call(Bluetooth1.phones.get, $0) }.get() == FakePhones.full)
    phones.state = PhonesState()
    #expect(try bench.answer { client.call(Bluetooth1.phones.get, $0) }.get() == PhonesState())
    for service in PhonesState.Service.allCases {
      phones.state.service = service
      #expect(try bench.answer { client.call(Bluetooth1.phones.get, $0) }.get().service == service)
    }
  }

  @Test func subscribeToPhones_receivesEachState_alsoAfterARestart() throws {
    let client = try bench.client()
    var states: [PhonesState] = []
    client.onPhones = { states.append($0) }
    client.subscribeToPhones()
    try bench.loop.turn { states == [FakePhones.full] }
    phones.state.request = nil
    try bench.loop.turn { states.count == 2 }
    #expect(states[1] == phones.state)
    #expect(client.phones == phones.state)
    try bench.restart()
    try bench.loop.turn { states.count == 3 }
    phones.state.phones = []
    try bench.loop.turn { states.count == 4 }
    #expect(states[3] == phones.state)
  }

  @Test func clientWithoutSubscription_receivesNoStates() throws {
    let (client, other) = (try bench.client(), try bench.client())
    var states = 0
    client.onPhones = { _ in states += 1 }
    var otherStates = 0
    other.onPhones = { _ in otherStates += 1 }
    other.subscribeToPhones()
    try bench.loop.turn { otherStates == 1 }
    phones.state.request = nil
    try bench.loop.turn { otherStates == 2 }
    _ = try bench.answer { client.call(Bluetooth1.phones.get, $0) }
    #expect(states == 0)
  }

  /// Phones are sources of music, beside sticks and folders.
  @Test func phone_isASource_thatCanBeChosen() throws {
    let client = try bench.client()
    let state = try bench.answer { client.libraryState($0) }.get()
    let phone = try #require(state.volumes.first { $0.kind == .phone })
    #expect(phone.report.identity == "AA:BB:CC:DD:EE:FF" && phone.report.label == "Ann's")
    #expect(phone.report.condition == .ready && phone.plays && phone.app == "Tunes")
    _ = try bench.answer { client.call(Sources1.choose, "AA:BB:CC:DD:EE:FF", $0) }.get()
    #expect(phones.done == ["play AA:BB:CC:DD:EE:FF"])
    // The other device of ``FakePhones`` is a remote, which cannot be chosen as a source.
    _ = try? bench.answer { client.call(Sources1.choose, "AA:BB:CC:DD:EE:00", $0) }.get()
    #expect(phones.done.count == 1)
  }

  @Test func phoneChanges_areSentToFollowersOfSources_onceForEachChange() throws {
    let peer = try bench.peer()
    var signals = 0
    let match = try peer.match(
      MatchRule(interface: Sources1.interface.name, member: "Changed")
    ) { _ in signals += 1 }
    _ = try bench.call(peer, Sources1.interface.name, "Subscribe")
    phones.state.phones[0].plays = false
    try bench.loop.turn { signals == 1 }
    phones.state.isSearching = false
    phones.state.phones[0].plays = true
    try bench.loop.turn { signals == 2 }
    withExtendedLifetime(match) {}
  }

  @Test func everyRequest_arrivesWithItsArguments() throws {
    let client = try bench.client()
    let phone = "AA:BB:CC:DD:EE:FF"
    try bench.answer { client.call(Bluetooth1.openPairing, .seconds(90), $0) }.get()
    try bench.answer { client.call(Bluetooth1.openPairing, nil, $0) }.get()
    try bench.answer { client.call(Bluetooth1.closePairing, $0) }.get()
    try bench.answer { client.call(Bluetooth1.acceptPairing, 3, $0) }.get()
    try bench.answer { client.call(Bluetooth1.rejectPairing, 3, $0) }.get()
    try bench.answer { client.call(Bluetooth1.find, .seconds(60), $0) }.get()
    try bench.answer { client.call(Bluetooth1.find, nil, $0) }.get()
    #expect(try bench.answer { client.call(Bluetooth1.add, phone, $0) }.get() == "paired")
    #expect(try bench.answer { client.call(Bluetooth1.connect, phone, $0) }.get() == "connected")
    try bench.answer { client.call(Bluetooth1.disconnect, phone, $0) }.get()
    try bench.answer { client.call(Bluetooth1.rename, Renaming(phone, to: "Än"), $0) }.get()
    try bench.answer { client.call(Bluetooth1.forget, phone, $0) }.get()
    #expect(
      phones.done == [
        "open 90.0 seconds", "open -", "close", "answer 3 true", "answer 3 false",
        "find 60.0 seconds", "find -", "add \(phone)", "connect \(phone)", "disconnect \(phone)",
        "rename \(phone) Än", "forget \(phone)",
      ])
  }

  @Test func answerPairing_otherNumber_isRefused() throws {
    let client = try bench.client()
    #expect(
      try bench.answer { client.call(Bluetooth1.acceptPairing, 2, $0) }.error?.refusal.code
        == .noPairingRequest)
    #expect(phones.done == [])
  }

  @Test func refusal_arrivesUnchanged() throws {
    let client = try bench.client()
    let unknown = Refusal(
      .noSuchPhone, "no phone has that address", remedy: "'bt phones' lists the phones")
    phones.refusal = unknown
    for refusal in [
      try bench.answer { client.call(Bluetooth1.forget, "x", $0) }.error,
      try bench.answer { client.call(Bluetooth1.connect, "x", $0) }.map { _ in }.error,
      try bench.answer { client.call(Bluetooth1.add, "x", $0) }.map { _ in }.error,
      try bench.answer { client.call(Bluetooth1.find, nil, $0) }.error,
      try bench.answer { client.call(Bluetooth1.openPairing, nil, $0) }.error,
    ] {
      #expect(refusal == .refused(unknown))
    }
    #expect(
      try bench.answer { client.call(Bluetooth1.openPairing, .seconds(100_000), $0) }.error?.refusal
        .code
        == .invalidArguments)
    bench.unit.fakePhones = nil
    #expect(
      try bench.answer { client.call(Bluetooth1.forget, "x", $0) }.error?.refusal.code
        == .noBluetooth)
    #expect(try bench.answer { client.call(Bluetooth1.phones.get, $0) }.get().service == .off)
  }
}

extension Result {
  fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
