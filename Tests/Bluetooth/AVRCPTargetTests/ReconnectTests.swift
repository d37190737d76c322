@testable import AVRCPTarget
import EventLoop
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// Tests automatic connecting with a fake BlueZ on a bus.
@Suite struct ReconnectTests {
  private func dials(_ bench: Bench) -> [String] {
    bench.bluez.calls.filter { $0.hasPrefix("Connect") }
  }

  private func isSuspended(_ bench: Bench) -> Bool {
    bench.target.connections.plan.candidates[Bench.phone]?.isSuspended == true
  }

  @Test func dial_usesTheProfile_lastUsedFirst() throws {
    let bench = try Bench(
      options: AVRCPTarget.Options(), lastUsed: [Bench.phone],
      controllers: [Bench.phone, Bench.other]
    ) {
      $0.addDevice(Bench.other, name: "Other")
      $0.addDevice(Bench.phone)
      // These two devices are never dialled. The first has no bond. The second is only a target (TG).
      $0.addDevice("AA:BB:CC:DD:EE:11", isBonded: false)
      $0.addDevice(
        "AA:BB:CC:DD:EE:22", uuids: ["0000110c-0000-1000-8000-00805f9b34fb"])
    }
    try bench.turn { bench.target.state.connected.count == 2 }
    try bench.settle()
    #expect(
      dials(bench) == [
        "ConnectProfile \(Bench.phone) 0000110e", "ConnectProfile \(Bench.other) 0000110e",
      ])
    #expect(bench.lastUsed.last == [Bench.other, Bench.phone])
  }

  @Test func lostLink_isDialledAgain_alsoAfterACrossing() throws {
    let bench = try Bench(options: AVRCPTarget.Options()) { $0.addDevice(Bench.phone) }
    try bench.turn { bench.target.state.connected.count == 1 }
    // The next attempt fails as if both sides had dialled at the same time.
    var crossings = 1
    bench.bluez.onConnect = { _ in
      crossings -= 1
      return crossings >= 0 ? .failure("Failed", "Resource temporarily unavailable") : .success
    }
    bench.bluez.disconnect(Bench.phone, reason: "Timeout")
    try bench.turn { bench.target.state.connected.isEmpty }
    try bench.turn { bench.target.state.connected.count == 1 }
    #expect(dials(bench).count == 3)
  }

  @Test func phoneThatRefuses_isSuspended_alsoIfItsLinkConnects() throws {
    let bench = try Bench(options: AVRCPTarget.Options()) {
      $0.addDevice(Bench.phone)
      $0.onConnect = { _ in .refused("Failed", "br-connection-create-socket") }
    }
    for number in 1...3 {
      try bench.turn { dials(bench).count == number }
      try bench.settle()
      // The kernel closes a link that has no channel.
      bench.bluez.disconnect(Bench.phone, reason: "Local")
      try bench.settle()
      #expect(bench.lastUsed == [])
      try bench.advanceClock(by: .seconds(300))
    }
    #expect(bench.log.contains { $0.event == .connectingEnded })
    #expect(isSuspended(bench))
  }

  @Test func linkWithoutRemoteControl_isReported_andCanBeConnected() throws {
    let bench = try Bench(controllers: [Bench.phone]) { $0.addDevice(Bench.phone) }
    bench.bluez.connect(Bench.phone, controls: false)
    try bench.turn {
      bench.target.state.phones[0].isConnected && !bench.target.state.phones[0].isControlling
    }
    let answer: Result<String, Refusal> = try bench.answer {
      bench.target.connect("Phone", answer: $0)
    }
    #expect(answer.isSuccess)
    #expect(dials(bench).count == 1)
    try bench.turn { bench.lastUsed == [[Bench.phone]] }
  }

  @Test func unpairedDevice_windowIsClosed_isLogged() throws {
    let bench = try Bench { $0.addDevice(Bench.other, name: "Unpaired", isBonded: false) }
    bench.bluez.connect(Bench.other, controls: false)
    try bench.turn {
      bench.log.contains { $0.event == .deviceRefused && $0.text.contains("Unpaired") }
    }
  }

  @Test func disconnect_phoneIsSuspended_untilConnect() throws {
    let bench = try Bench(options: AVRCPTarget.Options()) { $0.addDevice(Bench.phone) }
    try bench.turn { bench.target.state.connected.count == 1 }
    let refusal: Refusal? = try bench.answer {
      bench.target.disconnect("Phone", answer: $0)
    }
    #expect(refusal == nil)
    try bench.turn { !bench.target.state.phones[0].isConnected }
    #expect(isSuspended(bench))
    let again: Refusal? = try bench.answer {
      bench.target.disconnect("Phone", answer: $0)
    }
    #expect(again?.code == .phoneNotConnected)
    let answer: Result<String, Refusal> = try bench.answer {
      bench.target.connect("Phone", answer: $0)
    }
    #expect(answer.isSuccess && !isSuspended(bench))
  }

  @Test func connect_impossible_isRefusedWithAReason() throws {
    let bench = try Bench {
      $0.addDevice(Bench.phone)
      $0.addDevice(Bench.other, name: "Speaker", uuids: [])
      $0.onConnect = {
        $0 == Bench.phone
          ? .failure("Failed", "br-connection-page-timeout")
          : .failure("NotAvailable", "br-connection-profile-unavailable")
      }
    }
    func refusal(_ phone: String) throws -> Refusal? {
      try bench.answer { bench.target.connect(phone, answer: $0) }.refusal
    }
    let failed = try refusal("Phone")
    #expect(failed?.code == .bluetoothFailed)
    #expect(failed?.sentence.contains("br-connection-page-timeout") == true)
    #expect(try refusal("Speaker")?.code == .phoneNotController)
    #expect(try refusal("x")?.code == .noSuchPhone)
  }

  /// While BlueZ authorises a connection that the phone has begun, it answers `ConnectProfile` with success at once. So
  /// this answer does not prove that AVRCP is connected.
  @Test func connect_successWithoutRemoteControl_isNoConnection() throws {
    let bench = try Bench(options: AVRCPTarget.Options(), controllers: [Bench.phone]) {
      $0.addDevice(Bench.phone)
      $0.onConnect = { _ in .authorizing }
    }
    try bench.turn { dials(bench).count == 1 && bench.target.connections.unconfirmed != nil }
    #expect(bench.target.connections.plan.candidates[Bench.phone]?.isConnected == false)
    // The authorised connection fails, and the link stays. The next attempt follows soon.
    bench.bluez.onConnect = { _ in .success }
    try bench.turn { bench.target.connections.unconfirmed == nil }
    let due = try #require(bench.target.connections.plan.nextDeadline)
    #expect(due.wholeTime(since: .now()) < .seconds(2))
    try bench.turn { bench.target.state.connected.count == 1 }
    #expect(dials(bench).count == 2)
  }

  @Test func connect_remoteControlDoesNotFollow_isAnError() throws {
    let bench = try Bench {
      $0.addDevice(Bench.phone)
      $0.onConnect = { _ in .authorizing }
    }
    let answer: Result<String, Refusal> = try bench.answer {
      bench.target.connect("Phone", answer: $0)
    }
    #expect(
      answer.refusal?.sentence.contains("neither sound nor remote control is connected") == true)
  }

  // MARK: Keyboards

  private let keyboard = "00001124-0000-1000-8000-00805f9b34fb"

  private func connect(_ bench: Bench) throws -> Result<String, Refusal> {
    try bench.answer { bench.target.connect("Phone", answer: $0) }
  }

  /// A phone can become a keyboard (HID) after it was paired. BlueZ then does not know its HID service yet, so the unit
  /// dials this service to find out.
  @Test func connect_deviceWithoutController_asksForItsKeys() throws {
    let phoneBook = "0000112f-0000-1000-8000-00805f9b34fb"
    let bench = try Bench { $0.addDevice(Bench.phone, uuids: [phoneBook]) }
    bench.bluez.connect(Bench.phone, controls: false)
    try bench.turn { bench.target.state.phones[0].isConnected }
    bench.bluez.onConnect = { [bluez = bench.bluez, keyboard] in
      bluez.set($0, "UUIDs", .strings([phoneBook, keyboard]))
      return .success
    }
    #expect(try connect(bench).isSuccess)
    #expect(dials(bench) == ["ConnectProfile \(Bench.phone) 00001124"])
    try bench.turn { bench.target.state.connected.count == 1 }
    #expect(try connect(bench) == .success("Phone is connected already"))
    #expect(dials(bench).count == 1)
  }

  /// BlueZ does not know the services of this paired remote yet. Its class says that it is a peripheral, so the unit
  /// dials the HID service.
  @Test func connect_peripheralWithoutServices_isAskedForItsKeys() throws {
    let bench = try Bench {
      $0.addDevice(Bench.phone, uuids: [])
      $0.set(Bench.phone, "Class", .uint32(0x00050C))
    }
    bench.bluez.connect(Bench.phone, controls: false)
    try bench.turn { bench.target.state.phones[0].isConnected }
    #expect(bench.target.state.connected.isEmpty)
    #expect(try connect(bench).isSuccess)
    #expect(dials(bench) == ["ConnectProfile \(Bench.phone) 00001124"])
  }

  @Test func connect_lowEnergyKeyboard_hasNoProfileToName() throws {
    let bench = try Bench {
      $0.addDevice(Bench.phone, uuids: ["00001812-0000-1000-8000-00805f9b34fb"])
    }
    #expect(try connect(bench).isSuccess)
    #expect(dials(bench) == ["Connect \(Bench.phone)"])
  }

  /// A stock phone announces the controller role, and AVRCP is connected. But an app can have made the phone a keyboard
  /// (HID), so the unit also dials the HID service.
  @Test func connect_connectedPhoneThatNeverPressed_isAskedForItsKeys() throws {
    let bench = try Bench {
      $0.addDevice(Bench.phone, isConnected: true)
      $0.onConnect = { _ in .failure("NotAvailable", "br-connection-profile-unavailable") }
    }
    try bench.turn { bench.target.state.connected.count == 1 }
    #expect(try connect(bench) == .success("Phone is connected already"))
    #expect(dials(bench) == ["ConnectProfile \(Bench.phone) 00001124"])
    bench.bluez.press(.forward)
    try bench.turn { bench.target.state.phones[0].hasPressedKey }
    #expect(try connect(bench) == .success("Phone is connected already"))
    #expect(dials(bench).count == 1)
  }

  // MARK: Answers and pauses

  @Test func connect_bluezDoesNotAnswer_isAnsweredInTime() throws {
    let bench = try Bench {
      $0.addDevice(Bench.phone)
      $0.onConnect = { _ in .noAnswer }
    }
    let result: Result<String, Refusal> = try bench.answer {
      bench.target.connect("Phone", answer: $0)
    }
    #expect(result.isSuccess && bench.target.state.connected.isEmpty)
  }

  @Test func phoneDisconnects_musicPausesOnlyIfConfigured() throws {
    let bench = try Bench { $0.addDevice(Bench.phone, isConnected: true) }
    bench.source.play()
    bench.bluez.disconnect(Bench.phone, reason: "Timeout")
    try bench.turn { !bench.target.state.phones[0].isConnected }
    #expect(bench.source.performed == [])
    bench.target.options.pausesWhenPhoneLeaves = true
    bench.bluez.connect(Bench.phone)
    try bench.turn { bench.target.state.connected.count == 1 }
    bench.bluez.disconnect(Bench.phone, reason: "Timeout")
    try bench.turn { bench.source.performed == ["pause"] }
  }
}
