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

  private static let switchNeeds =
    "'switch:' needs a control and an element, as in 'switch:hw:0,Master', not "
  private static let gpioNeeds = "'gpio:' needs a line, as in 'gpio:gpiochip0,17', not "
  private static let kinds =
    "an amplifier is 'switch:CONTROL,ELEMENT', 'gpio:CHIP,LINE' or 'gpio:NAME', not "

  @Test(arguments: [
    ("", kinds + "''"),
    ("hw:0,Master", kinds + "'hw:0,Master'"),
    ("Switch:hw:0,Master", kinds + "'Switch:hw:0,Master'"),
    ("switch", switchNeeds + "''"),
    ("switch:Master", switchNeeds + "'Master'"),
    ("switch:hw:0,", switchNeeds + "'hw:0,'"),
    ("switch:,Master", switchNeeds + "',Master'"),
    ("gpio:", gpioNeeds + "''"),
    ("gpio:,17", gpioNeeds + "',17'"),
    ("gpio:gpiochip0,", gpioNeeds + "'gpiochip0,'"),
    ("gpio:17", "line 17 of which chip? As in 'gpio:gpiochip0,17'"),
    ("gpio:gpiochip0", "which line of gpiochip0? As in 'gpio:gpiochip0,17'"),
    ("gpio:gpiochip0,active-low", "which line of gpiochip0? As in 'gpio:gpiochip0,17'"),
    ("gpio:chip0,17", "a GPIO chip is 'gpiochip' and a number, not 'chip0'"),
    ("gpio:gpiochipX,17", "a GPIO chip is 'gpiochip' and a number, not 'gpiochipX'"),
    ("gpio:AMP_MUTE,activelow", "a GPIO chip is 'gpiochip' and a number, not 'AMP_MUTE'"),
    ("gpio:gpiochip0,99999999999", "no GPIO chip has a line 99999999999"),
    ("gpio:gpiochip0,17,low", "after a GPIO line only 'active-low' may stand, not 'low'"),
    (
      "gpio:gpiochip0,17,active-low,active-low",
      "after a GPIO line only 'active-low' may stand, not 'active-low'"
    ),
  ])
  func init_invalidText_isRefused(text: String, reason: String) {
    let error = #expect(throws: AmplifierConfiguration.Invalid.self) {
      try AmplifierConfiguration(text)
    }
    #expect(error?.reason == reason)
  }

  @Test func makeAmplifier_eachKind_hasTheRightType() throws {
    #expect(try AmplifierConfiguration("gpio:gpiochip0,17").makeAmplifier() is GPIOLine)
    let other = try AmplifierConfiguration("switch:hw:3,Speaker").makeAmplifier()
    #expect((other as? MixerSwitch)?.control == "hw:3")
    #expect((other as? MixerSwitch)?.element == "Speaker")
    #expect(throws: AmplifierConfiguration.Invalid.self) { try AmplifierConfiguration("relay:1") }
  }
}
