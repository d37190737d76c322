import ALSASink
import AmplifierControl
import GPIO
import Testing

struct AmplifierConfigurationTests {
  @Test(arguments: [
    ("switch:hw:0,Master", "hw:0", "Master"),
    ("switch:default,Speaker", "default", "Speaker"),
    ("switch:hw:CARD=PCH,Bass Speaker", "hw:CARD=PCH", "Bass Speaker"),
    ("switch:plug:CARD=1,DEV=0,Master", "plug:CARD=1,DEV=0", "Master"),
  ])
  func init_switch_hasControlAndElement(text: String, control: String, element: String) throws {
    #expect(
      try AmplifierConfiguration(text) == .mixerSwitch(control: control, element: element))
  }

  @Test(arguments: [
    ("gpio:gpiochip0,17", GPIOLine.Address(chip: "gpiochip0", line: .offset(17)), false),
    ("gpio:gpiochip12,0,active-low", GPIOLine.Address(chip: "gpiochip12", line: .offset(0)), true),
    ("gpio:/dev/gpiochip0,17", GPIOLine.Address(chip: "gpiochip0", line: .offset(17)), false),
    (
      "gpio:gpiochip1,AMP_MUTE", GPIOLine.Address(chip: "gpiochip1", line: .name("AMP_MUTE")), false
    ),
    ("gpio:AMP_MUTE", GPIOLine.Address(line: .name("AMP_MUTE")), false),
    ("gpio:AMP_ENABLE,active-low", GPIOLine.Address(line: .name("AMP_ENABLE")), true),
    ("gpio:active-low", GPIOLine.Address(line: .name("active-low")), false),
  ])
  func init_gpioLine_hasAddressAndLevel(text: String, address: GPIOLine.Address, isActiveLow: Bool)
    throws
  {
    #expect(try AmplifierConfiguration(text) == .gpioLine(address, isActiveLow: isActiveLow))
  }

  /// The reason of the error contains `value`, which is a part of the invalid text or an example of a valid text.
  @Test(arguments: [
    ("", "switch:CONTROL,ELEMENT"), ("hw:0,Master", "'hw:0,Master'"),
    ("Switch:hw:0,Master", "'Switch:hw:0,Master'"), ("switch", "switch:hw:0,Master"),
    ("switch:Master", "'Master'"), ("switch:hw:0,", "'hw:0,'"), ("switch:,Master", "',Master'"),
    ("gpio:", "gpio:gpiochip0,17"), ("gpio:,17", "',17'"), ("gpio:gpiochip0,", "'gpiochip0,'"),
    ("gpio:17", "17"), ("gpio:gpiochip0", "gpiochip0"), ("gpio:gpiochip0,active-low", "gpiochip0"),
    ("gpio:chip0,17", "'chip0'"), ("gpio:gpiochipX,17", "'gpiochipX'"),
    ("gpio:AMP_MUTE,activelow", "'AMP_MUTE'"), ("gpio:gpiochip0,99999999999", "99999999999"),
    ("gpio:gpiochip0,17,low", "'low'"),
    ("gpio:gpiochip0,17,active-low,active-low", "'active-low'"),
    ("gpio:gpiochip0,17,active-low,pull-up", "'pull-up'"),
  ])
  func init_invalidText_isRefused(text: String, value: String) {
    let error = #expect(throws: AmplifierConfiguration.Invalid.self) {
      try AmplifierConfiguration(text)
    }
    #expect(error?.reason.contains(value) == true, "\(text)")
  }

  @Test func makeAmplifier_eachKind_hasTheRightType() throws {
    #expect(try AmplifierConfiguration("gpio:gpiochip0,17").makeAmplifier() is GPIOLine)
    let other = try AmplifierConfiguration("switch:hw:3,Speaker").makeAmplifier()
    #expect((other as? MixerSwitch)?.control == "hw:3")
    #expect((other as? MixerSwitch)?.element == "Speaker")
    #expect(throws: AmplifierConfiguration.Invalid.self) { try AmplifierConfiguration("relay:1") }
  }
}
