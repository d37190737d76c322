import CInput
import NowPlaying
import Testing

@testable import Input

@Suite struct DeviceDescriptionTests {
  private func device(
    _ name: String, bus: Int32 = BUS_USB, phys: String = "", uniq: String = "",
    keys: Set<UInt16> = [], turns: Set<UInt16> = [], absoluteAxes: Set<UInt16> = []
  ) -> DeviceDescription {
    var device = DeviceDescription(name: name)
    device.bus = UInt16(bus)
    device.phys = phys
    device.uniq = uniq
    device.keys = keys
    device.turns = turns
    device.absoluteAxes = absoluteAxes
    return device
  }

  private var phone: DeviceDescription {
    device(
      "Pixel (AVRCP)", bus: BUS_BLUETOOTH, phys: "00:11:22:33:44:55", keys: [113, 163, 200])
  }

  @Test func role_eachDevice_followsFromItsKeysAndAxes() {
    let buttons = Set([UInt16(BTN_LEFT), UInt16(BTN_RIGHT)])
    #expect(phone.role == .passThrough)
    #expect(device("wheel", bus: BUS_HOST, keys: [163]).role == .keys)
    #expect(device("F-keys", keys: [183]).role == .keys)
    #expect(device("knob", bus: BUS_HOST, turns: [7]).role == .keys)
    #expect(device("knob on X", bus: BUS_HOST, turns: [0]).role == .keys)
    #expect(
      device("mouse", keys: buttons, turns: [0, 1, 8]).role == .none(DeviceDescription.Unused.mouse)
    )
    #expect(
      device("touch", keys: [UInt16(BTN_TOUCH)], absoluteAxes: [0, 1]).role
        == .none(DeviceDescription.Unused.pointer))
    #expect(
      device("tablet of QEMU", keys: buttons, turns: [8], absoluteAxes: [0, 1]).role
        == .none(DeviceDescription.Unused.pointer))
    #expect(device("lid", bus: BUS_HOST).role == .none(DeviceDescription.Unused.noKeys))
    #expect(
      device("remote", bus: BUS_BLUETOOTH, uniq: "AA:BB:CC:DD:EE:FF", keys: [163]).role == .keys)
    // A keyboard with a built-in pointer has its media keys on the same node.
    #expect(device("couch", keys: buttons.union([163]), turns: [0, 1, 8]).role == .keys)
  }

  @Test func origin_phoneAndItsRemote_isTheSame() {
    let remote = device(
      "Pixel Consumer Control", bus: BUS_BLUETOOTH, uniq: "AA:BB:CC:DD:EE:FF", keys: [163])
    #expect(phone.origin(node: "event1") == .bluetooth("Pixel"))
    #expect(remote.origin(node: "event2") == .bluetooth("Pixel"))
  }

  @Test func origin_interfacesOfOneKeyboard_isTheSame_andOfTwoKeyboardsDiffers() {
    let first = device("Keyboard", phys: "usb-0000:00:14.0-1/input0", keys: [163])
    let media = device("Keyboard Consumer Control", phys: "usb-0000:00:14.0-1/input1", keys: [163])
    let second = device("Keyboard", phys: "usb-0000:00:14.0-2/input0", keys: [163])
    #expect(first.origin(node: "event1").id == media.origin(node: "event2").id)
    #expect(first.origin(node: "event1").id != second.origin(node: "event3").id)
    let nameless = device("", keys: [163])
    #expect(nameless.origin(node: "event4").id != nameless.origin(node: "event5").id)
  }
}
