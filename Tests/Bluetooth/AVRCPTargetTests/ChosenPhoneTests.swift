import AVRCPTarget
import Bluez
import NowPlaying
import Reports
import TestKit
import Testing

/// Tests what happens after a user has chosen a phone that is not connected.
@Suite struct ChosenPhoneTests {
  /// A unit that waits for the chosen phone. `events` records the begin and the end of this wait.
  private final class Unit {
    let bench: Bench
    var events: [String] = []
    var answers: [Refusal?] = []

    init() throws {
      bench = try Bench {
        $0.addDevice(Bench.phone, name: "Ann's", uuids: [FakeBluez.source, FakeBluez.target])
      }
      bench.bluez.onConnect = { _ in .noAnswer }
      bench.target.onAwait = { [unowned self] address, _ in events.append("begin \(address)") }
      bench.target.onAwaitEnd = { [unowned self] in events.append("end \($0)") }
      bench.target.play(Bench.phone) { [unowned self] in answers.append($0) }
      try bench.turn { bench.bluez.calls.contains { $0.hasPrefix("ConnectProfile") } }
    }
  }

  @Test func play_phoneDoesNotAnswer_endsTheWait() throws {
    let unit = try Unit()
    #expect(unit.events == ["begin \(Bench.phone)"])
    unit.bench.bluez.answerConnect(Bench.phone, error: ("Failed", "br-connection-page-timeout"))
    try unit.bench.turn { !unit.answers.isEmpty }
    #expect(unit.answers.first??.code == .bluetoothFailed)
    #expect(unit.events == ["begin \(Bench.phone)", "end \(Bench.phone)"])
  }

  /// The phone is out of range. The unit answers the user within a time limit, but the attempt to connect (paging)
  /// fails only later. Then the wait ends.
  @Test func play_phoneDoesNotAnswerAfterTheAnswer_endsTheWait() throws {
    let unit = try Unit()
    try unit.bench.turn { unit.answers.count == 1 }
    #expect(unit.answers == [nil] && unit.events.count == 1)
    unit.bench.bluez.answerConnect(Bench.phone, error: ("Failed", "br-connection-page-timeout"))
    try unit.bench.turn { unit.events.count == 2 }
    #expect(unit.events.last == "end \(Bench.phone)" && unit.answers.count == 1)
  }

  @Test func connectSound_onlyTheRemoteControlIsConnected_dialsTheSound() throws {
    let bench = try Bench {
      $0.addDevice(
        Bench.phone, name: "Ann's", uuids: [FakeBluez.source, FakeBluez.target], isConnected: true)
    }
    let device = try #require(bench.client.devices.first?.path)
    bench.target.connectSound(of: device)
    try bench.settle()
    let dials = bench.bluez.calls.filter { $0.hasPrefix("ConnectProfile") }
    #expect(dials == ["ConnectProfile \(Bench.phone) 0000110a"])
  }

  @Test func play_phoneConnectsByItself_waitsOn() throws {
    let unit = try Unit()
    unit.bench.bluez.answerConnect(Bench.phone, error: ("InProgress", "In Progress"))
    try unit.bench.turn { !unit.answers.isEmpty }
    #expect(unit.answers == [nil] && unit.events == ["begin \(Bench.phone)"])
  }
}
