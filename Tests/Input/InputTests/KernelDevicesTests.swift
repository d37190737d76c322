import CInput
import EventLoop
import Foundation
import Glibc
import Input
import NowPlaying
import TestKit
import Testing

/// Tests input devices that uinput creates in the kernel. The tests are skipped if this machine has no uinput, or if
/// this process has no permission to read the input devices. The system tests (Tests/System) test the same in the
/// image.
@Suite(
  .serialized,
  .enabled(
    if: access("/dev/uinput", W_OK) == 0 && access("/dev/input", R_OK) == 0,
    "needs /dev/uinput and /dev/input"))
struct KernelDevicesTests {
  /// An input device in the kernel that exists as long as this object.
  private final class UInputDevice {
    let descriptor: Int32

    init(_ name: String, keys: [UInt16], axes: [UInt16] = [], bus: Int32 = BUS_VIRTUAL) throws {
      descriptor = cinput_make_device(
        name, "autoharp-test/input0", UInt16(bus), keys, UInt32(keys.count), axes,
        UInt32(axes.count))
      try #require(descriptor >= 0, "uinput: \(descriptor)")
    }

    deinit { close(descriptor) }

    func send(_ type: Int32, _ code: UInt16, _ value: Int32) {
      #expect(cinput_send(descriptor, UInt16(type), code, value) == 0)
      #expect(cinput_send(descriptor, UInt16(EV_SYN), 0, 0) == 0)
    }
  }

  private let name = "autoharp test \(UUID().uuidString.prefix(8))"

  @Test func kernelDevice_pressedAndUnplugged_isReported() throws {
    let loop = EventLoop()
    let devices = try InputDevices(loop, table: KeyTable(), hold: nil)
    var presses: [InputDevices.Press] = []
    let name = name
    devices.onPress = { if $0.origin.name == name { presses.append($0) } }
    func isPresent() -> Bool { devices.report.devices.contains { $0.name == name } }
    var made: UInputDevice? = try UInputDevice(name, keys: [163, 208])
    try loop.turn { isPresent() }
    let before = EventClock.monotonic.now
    made?.send(EV_KEY, 163, 1)
    made?.send(EV_KEY, 163, 0)
    made?.send(EV_KEY, 208, 1)
    try loop.turn { presses.count == 2 }
    #expect(presses[0].command.request == .request(.media(.next)))
    #expect(presses[0].command.at.awake >= .microseconds(before / 1000), "kernel's timestamp")
    made = nil
    try loop.turn { !isPresent() && presses.count == 3 }
    #expect(presses[2].command.request == .request(.media(.seekForward(.end))))
  }

  @Test func kernelKnob_isRead_andAMouseIsIgnored() throws {
    let loop = EventLoop()
    let devices = try InputDevices(loop, table: KeyTable(), hold: nil)
    var presses: [InputDevices.Press] = []
    let name = name
    devices.onPress = { if $0.origin.name == name { presses.append($0) } }
    let mouse = try UInputDevice("\(name) mouse", keys: [0x110], axes: [0, 1, 8])
    let knob = try UInputDevice(name, keys: [], axes: [7])
    try loop.turn { devices.report.devices.contains { $0.name == name } }
    #expect(devices.report.unused.contains { $0.name == "\(name) mouse" })
    knob.send(EV_REL, 7, 3)
    try loop.turn { !presses.isEmpty }
    #expect(presses[0].command.request == .request(.volume(.change(thousandths: 75))))
    withExtendedLifetime(mouse) {}
  }
}
