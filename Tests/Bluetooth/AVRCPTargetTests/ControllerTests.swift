@testable import AVRCPTarget
import EventLoop
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// A device is a controller after it has pressed a key. A phone that is only a source of sound connects AVRCP too, but
/// never presses a key.
@Suite struct ControllerTests {
  private let keyboard = "00001124-0000-1000-8000-00805f9b34fb"

  private func dials(_ bench: Bench) -> Int {
    bench.bluez.calls.count { $0.hasPrefix("ConnectProfile") }
  }

  private func words(_ bench: Bench) -> String? {
    bench.target.phonesSection.facts.first?.value
  }

  @Test func stockPhone_isNoController_untilItPressesAKey() throws {
    let bench = try Bench { $0.addDevice(Bench.phone) }
    bench.bluez.connect(Bench.phone)
    try bench.turn { bench.target.state.connected.count == 1 }
    try bench.settle()
    #expect(bench.target.state.phones[0].hasPressedKey == false)
    #expect(words(bench)?.contains("connected, no key pressed yet") == true)
    #expect(bench.target.phonesFact.value == "Phone (no key pressed yet)")
    #expect(bench.lastUsed == [] && bench.controllers == [])
    bench.bluez.press(.forward)
    try bench.turn { bench.target.state.phones[0].hasPressedKey }
    #expect(words(bench)?.contains("no key pressed yet") == false)
    #expect(bench.target.phonesFact.value == "Phone")
    #expect(bench.lastUsed == [[Bench.phone]] && bench.controllers == [[Bench.phone]])
    #expect(bench.log.count { $0.event == .deviceProven } == 1)
    // Another press changes nothing. A forgotten device is not a controller until it presses a key again.
    bench.bluez.press(.forward)
    try bench.turn { bench.center.trace.count == 2 }
    #expect(bench.controllers.count == 1)
    let refusal: Refusal? = try bench.answer { bench.target.forget("Phone", answer: $0) }
    #expect(refusal == nil && bench.controllers.last == [])
  }

  @Test func connect_phoneWithAStreamAndNoRemoteControl_isConnected() throws {
    let bench = try Bench {
      $0.addDevice(Bench.phone, uuids: [FakeBluez.source, FakeBluez.target])
      $0.addTransport(Bench.phone, volume: 64)
    }
    bench.bluez.connect(Bench.phone, controls: false)
    try bench.turn { bench.target.state.phones.first?.isConnected == true }
    let answer: Result<String, Refusal> = try bench.answer {
      bench.target.connect("Phone", answer: $0)
    }
    #expect(answer.isSuccess)
    #expect(
      bench.bluez.calls.filter { $0.hasPrefix("ConnectProfile") }
        == ["ConnectProfile \(Bench.phone) 0000110a"])
  }

  @Test func stockPhone_thatAnswersEachAttempt_isDialledFourTimes() throws {
    let bench = try Bench(options: AVRCPTarget.Options()) { $0.addDevice(Bench.phone) }
    for number in 1...ReconnectPlan.unprovenLimit {
      try bench.turn { dials(bench) == number && bench.target.state.connected.count == 1 }
      bench.bluez.disconnect(Bench.phone, reason: "Timeout")
      try bench.turn { bench.target.state.connected.isEmpty }
      try bench.settle()
      try bench.advanceClock(by: .seconds(300))
    }
    try bench.settle()
    #expect(dials(bench) == ReconnectPlan.unprovenLimit)
    #expect(bench.target.connections.plan.nextDeadline == nil)
    #expect(words(bench)?.contains("suspended until it connects by itself") == true)
    // The user requests a connection.
    let answer: Result<String, Refusal> = try bench.answer {
      bench.target.connect("Phone", answer: $0)
    }
    #expect(answer.isSuccess && dials(bench) == ReconnectPlan.unprovenLimit + 1)
  }

  @Test func controllerOfAnEarlierRun_isDialledFirst_andWithoutLimit() throws {
    let bench = try Bench(options: AVRCPTarget.Options(), controllers: [Bench.phone]) {
      $0.addDevice(Bench.other, name: "Other")
      $0.addDevice(Bench.phone)
      $0.onConnect = { _ in .failure("Failed", "br-connection-page-timeout") }
    }
    func count(_ address: String) -> Int {
      bench.bluez.calls.count { $0 == "ConnectProfile \(address) 0000110e" }
    }
    let first = bench.bluez.calls.first { $0.hasPrefix("ConnectProfile") }
    #expect(first == nil || first?.contains(Bench.phone) == true)
    for number in 1...(ReconnectPlan.unprovenLimit + 2) {
      try bench.turn {
        count(Bench.phone) == number
          && count(Bench.other) == min(number, ReconnectPlan.unprovenLimit)
      }
      try bench.settle()
      try bench.advanceClock(by: .seconds(400))
    }
    #expect(bench.log.count { $0.event == .connectingEnded && $0.text.contains("Other") } == 1)
  }

  // MARK: The sender of a press

  @Test func press_besideAStockPhone_isOfTheController() throws {
    let bench = try Bench(controllers: [Bench.phone]) {
      $0.addDevice(Bench.phone, name: "Wheel", isConnected: true)
      $0.addDevice(Bench.other, name: "Stock", isConnected: true)
    }
    try bench.turn { bench.target.state.connected.count == 2 }
    bench.bluez.press(.forward)
    try bench.turn { bench.center.trace.count == 1 }
    #expect(bench.center.trace.records.last?.origin?.name == "Wheel")
    #expect(bench.target.report.sections.last?.facts[1].value.contains("by Wheel") == true)
  }

  @Test func press_ofOneOfTwoUnprovenDevices_provesNone() throws {
    let bench = try Bench {
      $0.addDevice(Bench.phone, isConnected: true)
      $0.addDevice(Bench.other, name: "Other", isConnected: true)
    }
    try bench.turn { bench.target.state.connected.count == 2 }
    bench.bluez.press(.forward)
    try bench.turn { bench.center.trace.count == 1 }
    #expect(bench.controllers == [])
  }

  /// A keyboard (HID) sends its keys through an input device and never calls the D-Bus player. So a call of the player
  /// always comes from another device.
  @Test func press_besideAKeyboard_isOfTheRemoteControl_andItsPlayIsObeyed() throws {
    let bench = try Bench {
      $0.addDevice(Bench.other, name: "Fob", uuids: [keyboard])
      $0.addDevice(Bench.phone, name: "Wheel", isConnected: true)
    }
    try bench.turn { bench.target.state.connected.count == 1 }
    try bench.advanceClock(by: .seconds(10))
    // The key-fob connects. Within three seconds, the wheel sends PLAY. The fob has no AVRCP, so the PLAY is not an
    // automatic PLAY of the fob, and is obeyed.
    bench.bluez.connect(Bench.other)
    try bench.turn { bench.target.state.connected.count == 2 }
    bench.bluez.press(.play)
    try bench.turn { bench.source.performed == ["play"] }
    #expect(bench.center.trace.records.last?.origin?.name == "Wheel")
    #expect(!bench.log.contains { $0.event == .playIgnored })
  }

  @Test func loudspeakerWithALink_doesNotControl() throws {
    let bench = try Bench {
      $0.addDevice(
        Bench.phone, name: "Speaker", uuids: ["0000110b-0000-1000-8000-00805f9b34fb"],
        isConnected: true)
    }
    try bench.turn { bench.target.state.phones.first?.isConnected == true }
    #expect(bench.target.state.connected.isEmpty)
    #expect(words(bench)?.contains("connected without remote control") == true)
  }

  // MARK: Keys of input devices

  @Test func keyOfAnInputDevice_provesItsDevice_byItsAddress_orByAUniqueName() throws {
    let bench = try Bench {
      $0.addDevice(Bench.phone, name: "Ring", uuids: [keyboard], isConnected: true)
    }
    try bench.turn { bench.target.state.connected.count == 1 }
    bench.target.received(PressOrigin(name: "Ring", id: "usb-1"))
    bench.target.received(.bluetooth("Other"))
    #expect(bench.controllers == [])
    bench.target.received(.bluetooth("Ring"))
    #expect(bench.controllers == [[Bench.phone]])
    bench.bluez.addDevice(Bench.other, name: "Twin", uuids: [keyboard], isConnected: true)
    bench.bluez.addDevice(
      "AA:BB:CC:DD:EE:11", name: "Twin", uuids: [keyboard], isConnected: true)
    try bench.turn { bench.target.state.connected.count == 3 }
    bench.target.received(.bluetooth("Twin"))
    #expect(bench.controllers.count == 1)
    bench.target.received(.bluetooth("Twin", address: Bench.other))
    #expect(bench.controllers.last == [Bench.other, Bench.phone])
  }
}
