import EventLoop
import Foundation
import Reports
import TestKit
import Testing

/// The daemon as a process. Its system bus is a private bus with a fake BlueZ, which has no radio.
@Suite(.timeLimit(.minutes(10))) struct PhoneTests {
  private let loop = EventLoop()
  private let bus: PrivateBus
  private let bluez: FakeBluez

  init() throws {
    bus = try PrivateBus()
    bluez = try FakeBluez(loop, address: bus.address)
    bluez.addAdapter()
    bluez.addDevice("AA:BB:CC:DD:EE:FF")
    bluez.addDevice("AA:BB:CC:DD:EE:00", name: "Other")
  }

  private func turn(
    until condition: () -> Bool, _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let deadline = EventClock.monotonic.now + 60_000_000_000
    while !condition() {
      try #require(EventClock.monotonic.now < deadline, sourceLocation: sourceLocation)
      try loop.step(timeout: .milliseconds(50))
    }
  }

  private func serve(_ place: ServeProcess.Place) throws -> ServeProcess {
    try ServeProcess(place, environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
  }

  @Test func phone_controlsTheUnit_andReadsTheTrack() throws {
    let place = try ServeProcess.Place(["start = play", "dial-phones = no"])
    try place.music("a", seconds: 60)
    try place.music("b", seconds: 50)
    let daemon = try serve(place)
    try turn { bluez.player()?.title == "a" && bluez.player()?.status == "Playing" }
    #expect(bluez.player()?.duration == 60_000)
    bluez.press(.forward)
    try turn { bluez.player()?.title == "b" }
    bluez.press(.pause)
    try turn { bluez.player()?.status == "Paused" }
    bluez.set("LoopStatus", .string("Playlist"))
    try turn { bluez.player()?.settings["Repeat"] == "alltracks" }

    // bluetoothd crashes: the music continues, and player and agent are registered again.
    bluez.press(.play)
    try turn { bluez.player()?.status == "Playing" }
    bluez.crash()
    #expect(daemon.waits(for: .bluetoothdLost) != nil)
    try bluez.start()
    try turn { bluez.player()?.title == "b" && bluez.player()?.status == "Playing" }
    bluez.press(.backward)
    bluez.press(.stop)
    try turn { bluez.player()?.status == "Stopped" }
    #expect(daemon.end() == 0)
  }

  @Test func controller_isDialledFirst_alsoAfterARestart() throws {
    let place = try ServeProcess.Place()
    let first = try serve(place)
    try turn { bluez.calls.filter { $0.hasPrefix("ConnectProfile") }.count == 2 }
    #expect(first.waits(for: .deviceControls, "AA:BB:CC:DD:EE:FF") != nil)
    let order = bluez.calls.filter { $0.hasPrefix("ConnectProfile") }
    // The phone that was dialled last presses a key.
    let last = try #require(order.last?.split(separator: " ").dropFirst().first).description
    bluez.disconnect(order[0].split(separator: " ")[1].description, reason: "Remote")
    #expect(first.waits(for: .deviceDisconnected) != nil)
    bluez.press(.stop)
    #expect(first.waits(for: .deviceProven, last) != nil)
    #expect(first.end() == 0)
    bluez.crash()
    bluez.calls = []
    try bluez.start()
    let second = try serve(place)
    try turn { bluez.calls.filter { $0.hasPrefix("ConnectProfile") }.count == 2 }
    #expect(bluez.calls.filter { $0.hasPrefix("ConnectProfile") } == order.reversed())
    #expect(second.end() == 0)
  }

  @Test func missingBus_doesNotPreventPlayback() throws {
    let place = try ServeProcess.Place(["start = play"])
    try place.music("a", seconds: 60)
    bus.stop()
    let daemon = try serve(place)
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil)
    #expect(daemon.end() == 0)
  }
}
