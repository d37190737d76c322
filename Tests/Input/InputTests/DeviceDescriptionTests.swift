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
    // A keyboard with a built-in pointer has one node for its media keys and its pointer. So the unit uses this node.
    #expect(device("couch", keys: buttons.union([163]), turns: [0, 1, 8]).role == .keys)
  }

  @Test func origin_phoneAndItsRemote_isTheSame() {
    let remote = device(
      "Pixel Consumer Control", bus: BUS_BLUETOOTH, uniq: "AA:BB:CC:DD:EE:FF", keys: [163])
    #expect(phone.origin(node: "event1") == .bluetooth("Pixel"))
    #expect(
      remote.origin(node: "event2") == .bluetooth("Pixel", address: "AA:BB:CC:DD:EE:FF"))
    #expect(phone.origin(node: "event1").isSameDevice(as: remote.origin(node: "event2")))
  }

  /// Values of `phys` for the node of a phone: from the patched bluetoothd of the image, from an unpatched bluetoothd,
  /// and other texts.
  @Test(arguments: [
    ("00:1a:7d:da:71:01/f0:f1:f2:f3:f4:01", "F0:F1:F2:F3:F4:01"),
    ("00:1a:7d:da:71:01", nil), ("", nil), ("/", nil), ("00:1a:7d:da:71:01/", nil),
    ("00:1a:7d:da:71:01/input0", nil), ("a/f0:f1:f2:f3:f4:01", nil),
    ("00:1a:7d:da:71:01/f0:f1:f2:f3:f4:01/x", nil), ("00:1a:7d:da:71:01/f0:f1:f2:f3:f4:gg", nil),
  ])
  func origin_nodeOfAPhone_hasItsAddress(_ phys: String, _ address: String?) {
    let node = device("Pixel (AVRCP)", bus: BUS_BLUETOOTH, phys: phys, keys: [163])
    #expect(node.origin(node: "event1") == .bluetooth("Pixel", address: address))
  }

  @Test func origin_keyboardsOfOneModel_differByTheirAddress() {
    let addresses = ["aa:bb:cc:dd:ee:01", "AA:BB:CC:DD:EE:02", "no address"]
    let origins = addresses.map { address in
      device("Ring", bus: BUS_BLUETOOTH, phys: "00:1a:7d:da:71:01", uniq: address, keys: [163])
        .origin(node: "event1")
    }
    #expect(origins.map(\.address) == ["AA:BB:CC:DD:EE:01", "AA:BB:CC:DD:EE:02", nil])
    #expect(!origins[0].isSameDevice(as: origins[1]))
    #expect(origins[0].isSameDevice(as: origins[2]))
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
