import CInput
import EventLoop
import Foundation
import Glibc
import NowPlaying
import Synchronization
import TestKit
import Testing

@testable import Input

/// The tests plug in input devices, press keys of these devices, and remove the devices. Each device node is a pipe.
/// All other parts are real.
@Suite struct InputDevicesTests {
  @Test func plug_device_isReadAndItsPressArrives() throws {
    let bench = try Bench()
    try bench.plug("event0")
    try bench.send("event0", KeyEvents.stroke(163))
    try bench.loop.turn { !bench.presses.isEmpty }
    #expect(bench.requests == ["next"])
    #expect(bench.presses[0].origin.name == "Steering Wheel")
    #expect(bench.devices.report.lastPress?.code == .key(163))
  }

  @Test func init_existingDevices_areFound() throws {
    let first = try Bench()
    try first.plug("event3")
    let loop = EventLoop()
    let second = try InputDevices(
      loop, folder: first.folder.path("input"), source: first.source, table: KeyTable(), hold: nil)
    try loop.turn { second.report.devices.count == 1 }
    #expect(second.report.devices.map(\.node) == ["event3"])
  }

  @Test func init_nodeReportedTwice_isOpenedOnce() throws {
    let bench = try Bench()
    try bench.plug("event0")
    for mode in [0o640, 0o660, 0o600] { chmod(bench.path("event0"), mode_t(mode)) }
    try bench.plug("event1", Bench.wheel("Other"))
    #expect(bench.source.state.withLock { $0.opened.filter { $0 == "event0" }.count } == 1)
    #expect(bench.devices.report.devices.count == 2)
  }

  @Test func init_otherFiles_areIgnored() throws {
    let bench = try Bench()
    for name in ["mice", "js0", "event", "event01", "event-1", "eventful", "event99999999"] {
      try bench.make(name)
    }
    try bench.plug("event0")
    #expect(bench.source.state.withLock { $0.opened } == ["event0"])
  }

  @Test func init_folderCreatedLater_isFound() throws {
    let bench = try Bench(inside: "later")
    #expect(rename(bench.folder.path("input"), bench.folder.path("other")) == 0)
    bench.source.state.withLock { $0.descriptions["event0"] = Bench.wheel() }
    #expect(mkdir(bench.folder.path("later"), 0o700) == 0)
    #expect(mkfifo(bench.folder.path("later/event0"), 0o600) == 0)
    try bench.loop.turn { bench.devices.report.devices.count == 1 }
  }

  @Test func refused_permissionGrantedLater_isOpenedWithoutReport() throws {
    let bench = try Bench()
    bench.source.state.withLock { $0.refusal = "Permission denied" }
    try bench.make("event0")
    try bench.loop.turn { !bench.devices.report.refused.isEmpty }
    #expect(bench.devices.report.refused.map(\.why) == ["Permission denied"])
    bench.source.state.withLock { $0.refusal = nil }
    chmod(bench.path("event0"), 0o640)
    try bench.loop.turn { bench.devices.report.devices.count == 1 }
    #expect(bench.devices.report.refused.isEmpty)
    #expect(!bench.hasRefusal)
  }

  @Test func refused_permanently_isReportedOnce() throws {
    let bench = try Bench(refusalDelay: .milliseconds(50))
    bench.source.state.withLock { $0.refusal = "Permission denied" }
    try bench.make("event0")
    try bench.loop.turn { !bench.changes.isEmpty }
    #expect(
      bench.changes == [.refused(path: bench.path("event0"), reason: "Permission denied")])
    #expect(bench.devices.report.refused.count == 1)
  }

  @Test func open_nodeDisappears_isIgnored() throws {
    let bench = try Bench()
    for number in 0..<50 {
      try bench.make("event\(number)")
      try bench.pull("event\(number)")
    }
    try bench.plug("event100")
    #expect(bench.devices.report.devices.map(\.node) == ["event100"])
    #expect(!bench.hasRefusal)
  }

  @Test func unplug_whileAKeyIsHeld_endsTheSeek() throws {
    let bench = try Bench()
    try bench.plug("event0")
    try bench.send("event0", KeyEvents.bytes(EV_KEY, 208, 1) + KeyEvents.bytes(EV_SYN, 0, 0))
    try bench.loop.turn { bench.presses.count == 1 }
    try bench.pull("event0")
    try bench.loop.turn { bench.devices.report.devices.isEmpty }
    #expect(bench.requests == ["seekForward begin", "seekForward end"])
  }

  @Test func plug_withTheSameName_isANewDevice() throws {
    let bench = try Bench()
    try bench.plug("event0")
    try bench.pull("event0")
    try bench.make("event0", Bench.wheel("Another"))
    try bench.loop.turn { bench.devices.report.devices.map(\.name) == ["Another"] }
    try bench.send("event0", KeyEvents.stroke(163))
    try bench.loop.turn { !bench.presses.isEmpty }
    #expect(bench.presses.map(\.origin.name) == ["Another"])
  }

  @Test func release_keyThatWasDownAtTheStart_doesNothing() throws {
    let bench = try Bench()
    var description = Bench.wheel()
    description.down = [163]
    try bench.plug("event0", description)
    try bench.send(
      "event0",
      KeyEvents.bytes(EV_KEY, 163, 0) + KeyEvents.bytes(EV_SYN, 0, 0) + KeyEvents.stroke(165))
    try bench.loop.turn { !bench.presses.isEmpty }
    #expect(bench.requests == ["previous"])
  }

  @Test func lostEvents_releasedKeys_endTheirSeeks() throws {
    let bench = try Bench()
    try bench.plug("event0")
    try bench.send("event0", KeyEvents.bytes(EV_KEY, 208, 1) + KeyEvents.bytes(EV_SYN, 0, 0))
    try bench.loop.turn { bench.presses.count == 1 }
    // Key events between SYN_DROPPED and the next EV_SYN are ignored.
    try bench.send(
      "event0",
      KeyEvents.bytes(EV_SYN, UInt16(SYN_DROPPED), 0) + KeyEvents.bytes(EV_KEY, 163, 1)
        + KeyEvents.bytes(EV_SYN, 0, 0)
        + KeyEvents.stroke(165))
    try bench.loop.turn { bench.presses.count == 3 }
    #expect(bench.requests == ["seekForward begin", "seekForward end", "previous"])
  }

  @Test func press_heldKey_seeksAfterTheHoldTime() throws {
    let bench = try Bench(hold: .milliseconds(20))
    try bench.plug("event0")
    try bench.send("event0", KeyEvents.bytes(EV_KEY, 163, 1) + KeyEvents.bytes(EV_SYN, 0, 0))
    try bench.loop.turn { bench.presses.count == 1 }
    try bench.send("event0", KeyEvents.bytes(EV_KEY, 163, 0) + KeyEvents.bytes(EV_SYN, 0, 0))
    try bench.loop.turn { bench.presses.count == 2 }
    #expect(bench.requests == ["seekForward begin", "seekForward end"])
  }

  @Test func press_anyKey_hasTheTimeOfTheKernel() throws {
    let bench = try Bench()
    try bench.plug("event0")
    let pressed = EventClock.monotonic.now - 300_000_000
    try bench.send(
      "event0",
      KeyEvents.bytes(EV_KEY, 163, 1, at: pressed) + KeyEvents.bytes(EV_SYN, 0, 0, at: pressed))
    // The timestamp of the second press is more than ten seconds old, so the unit uses the time of arrival.
    try bench.send("event0", KeyEvents.bytes(EV_KEY, 165, 1, at: 5) + KeyEvents.bytes(EV_SYN, 0, 0))
    try bench.loop.turn { bench.presses.count == 2 }
    #expect(bench.presses[0].command.at.awake == .microseconds(pressed / 1000))
    #expect(bench.presses[1].command.at.awake > .nanoseconds(pressed))
  }

  @Test func turn_knob_changesTheVolume() throws {
    let bench = try Bench()
    var knob = DeviceDescription(name: "Knob")
    knob.turns = [7]
    try bench.plug("event0", knob)
    try bench.send(
      "event0",
      KeyEvents.bytes(EV_REL, 7, 2) + KeyEvents.bytes(EV_REL, 7, -1) + KeyEvents.bytes(EV_SYN, 0, 0)
    )
    try bench.loop.turn { bench.presses.count == 2 }
    #expect(bench.requests == ["volume +5 %", "volume -2.5 %"])
  }

  @Test func press_unknownKey_isReported_andCanBeBoundAtOnce() throws {
    let bench = try Bench()
    try bench.plug("event0", Bench.wheel(keys: [183]))
    try bench.send("event0", KeyEvents.stroke(183) + KeyEvents.stroke(183))
    try bench.loop.turn { bench.unknown.count == 2 }
    #expect(bench.unknown[0] == "KEY_F13 (183) of Steering Wheel")
    #expect(bench.devices.report.unknown.map(\.count) == [2])
    bench.devices.table = KeyTable([try KeyBinding("KEY_F13 next on Steering Wheel")])
    try bench.send("event0", KeyEvents.stroke(183))
    try bench.loop.turn { !bench.presses.isEmpty }
    #expect(bench.requests == ["next"])
    #expect(bench.devices.report.devices.map(\.known) == [1])
  }

  @Test func press_typedText_isNotRecorded() throws {
    let bench = try Bench()
    var keyboard = DeviceDescription(name: "Keyboard")
    keyboard.keys = Set(1...248)
    try bench.plug("event0", keyboard)
    // The first four keys are a letter, a digit, Return and an arrow. Then a key that types nothing and a key with an
    // action are pressed.
    for code in [UInt16(KEY_A), UInt16(KEY_1), UInt16(KEY_ENTER), UInt16(KEY_UP)] {
      try bench.send("event0", KeyEvents.stroke(code))
    }
    try bench.send("event0", KeyEvents.stroke(UInt16(KEY_F13)) + KeyEvents.stroke(163))
    try bench.loop.turn { !bench.presses.isEmpty }
    #expect(bench.unknown == ["KEY_F13 (183) of Keyboard"])
  }

  @Test func press_manyUnknownKeys_keepsTheLatest() throws {
    let bench = try Bench()
    try bench.plug("event0", Bench.wheel(keys: Set(640...740)))
    for code in UInt16(640)..<740 { try bench.send("event0", KeyEvents.stroke(code)) }
    try bench.loop.turn { bench.unknown.count == 100 }
    #expect(bench.devices.report.unknown.count == InputDevices.maximumUnknown)
    #expect(bench.devices.report.unknown.last?.code == .key(739))
  }

  @Test func open_tooManyDevices_isRefusedWithAReason() throws {
    let bench = try Bench()
    for number in 0...InputDevices.maximumDevices {
      try bench.make("event\(number)", Bench.wheel("Wheel \(number)"))
    }
    try bench.loop.turn { !bench.devices.report.refused.isEmpty }
    try bench.loop.turn { bench.devices.report.devices.count == InputDevices.maximumDevices }
    #expect(bench.devices.report.refused.map(\.why).first?.contains("64") == true)
  }

  @Test func open_screenOrMouse_isReportedAsUnused() throws {
    let bench = try Bench()
    var screen = DeviceDescription(name: "Touch")
    screen.keys = [UInt16(BTN_TOUCH)]
    screen.absoluteAxes = [0, 1]
    try bench.make("event0", screen)
    try bench.loop.turn { bench.devices.report.unused.count == 1 }
    #expect(bench.devices.report.unused[0].why == DeviceDescription.Unused.pointer)
    #expect(bench.devices.lostPointers == [])
  }

  @Test func keysThatAreRemoved_areLost_untilTheyReturn_exceptBluetooth() throws {
    let bench = try Bench()
    var remote = Bench.wheel("Remote")
    remote.bus = UInt16(BUS_BLUETOOTH)
    remote.uniq = "00:11:22:33:44:55"
    try bench.plug("event0")
    try bench.plug("event1", remote)
    try bench.pull("event0")
    try bench.pull("event1")
    try bench.loop.turn { bench.devices.report.devices.isEmpty }
    #expect(bench.devices.lostKeys == ["Steering Wheel"])
    try bench.plug("event2")
    #expect(bench.devices.lostKeys == [])
  }

  @Test func touchScreenThatIsRemoved_isLost_untilItReturns() throws {
    let bench = try Bench()
    var screen = DeviceDescription(name: "Touch")
    screen.keys = [UInt16(BTN_TOUCH)]
    screen.absoluteAxes = [0, 1]
    var mouse = DeviceDescription(name: "Mouse")
    mouse.turns = [0, 1]
    var pad = screen
    pad.name = "Pad"
    pad.keys.insert(UInt16(BTN_TOOL_FINGER))
    var remote = screen
    remote.name = "Remote"
    remote.bus = UInt16(BUS_BLUETOOTH)
    let devices = [screen, mouse, pad, remote]
    for (number, device) in devices.enumerated() { try bench.make("event\(number)", device) }
    try bench.loop.turn { bench.devices.report.unused.count == devices.count }
    for number in devices.indices { try #require(unlink(bench.path("event\(number)")) == 0) }
    try bench.loop.turn { bench.devices.report.unused.isEmpty }
    #expect(bench.devices.lostPointers == ["Touch"])
    try bench.make("event9", screen)
    try bench.loop.turn { bench.devices.report.unused.count == 1 }
    #expect(bench.devices.lostPointers == [])
  }

  @Test func attachedDevice_isBoundLikeAnyOther_untilItIsReleased() throws {
    let bench = try Bench(KeyTable([try KeyBinding("KEY_PLAYPAUSE mute on Encoder")]))
    var description = DeviceDescription(name: "Encoder")
    description.turns = [UInt16(REL_DIAL)]
    description.keys = [UInt16(KEY_PLAYPAUSE)]
    var feed: InputFeed? = try bench.devices.attach(description, node: "encoder")
    #expect(bench.changes == [.added(name: "Encoder", node: "encoder", bus: "bus 0")])
    let time = Int64(EventClock.monotonic.now)
    feed?.turn(UInt16(REL_DIAL), steps: -3, time: time)
    feed?.key(UInt16(KEY_PLAYPAUSE), isDown: true, time: time + 1_000_000)
    feed?.key(UInt16(KEY_PLAYPAUSE), isDown: false, time: time + 2_000_000)
    try bench.loop.turn { bench.presses.count == 2 }
    #expect(bench.requests == ["volume -7.5 %", "volume mute or unmute"])
    // The folder of the device nodes is created again, so it is listed again. It contains no node of the attached
    // device `Encoder`, but this device stays.
    try FileManager.default.removeItem(atPath: bench.folder.path("input"))
    try FileManager.default.createDirectory(
      atPath: bench.folder.path("input"), withIntermediateDirectories: true)
    try bench.plug("event0")
    feed?.turn(UInt16(REL_DIAL), steps: 1, time: time)
    try bench.loop.turn { bench.presses.count == 3 }
    feed = nil
    try bench.loop.turn { bench.changes.last == .removed(name: "Encoder") }
  }

  /// A device still works after it has sent random bytes.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func read_randomEvents_isHandled(seed: UInt64) throws {
    let bench = try Bench()
    try bench.plug("event0")
    var random = Noise(seed)
    for _ in 0..<200 {
      try bench.send("event0", (0..<(InputEvent.size * 8)).map { _ in random.byte() })
      try bench.loop.step()
    }
    // After the random bytes, a group of events can lack its EV_SYN, and keys can be down. The following events end the
    // group and release all keys.
    let clean = (0...InputCode.largestKey).flatMap { KeyEvents.bytes(EV_KEY, $0, 0) }
    try bench.send("event0", KeyEvents.bytes(EV_SYN, 0, 0) + Array(clean.prefix(40_000)))
    let before = bench.devices.report.devices[0].presses
    try bench.send("event0", KeyEvents.stroke(163))
    try bench.loop.turn { bench.devices.report.devices[0].presses > before }
  }
}

/// Pseudo-random numbers (SplitMix64). Equal seeds give equal numbers.
struct Noise {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 24) }
}
