import GPIO
import Testing

struct GPIOLineChoiceTests {
  @Test(arguments: [
    ("gpiochip0,17", GPIOAddress(chip: "gpiochip0", line: .offset(17)), false),
    ("gpiochip2,LIGHTS,active-low", GPIOAddress(chip: "gpiochip2", line: .name("LIGHTS")), true),
    ("LIGHTS", GPIOAddress(line: .name("LIGHTS")), false),
  ])
  func text_isParsed_andWrittenUnchanged(text: String, address: GPIOAddress, isActiveLow: Bool)
    throws
  {
    let choice = try GPIOLineChoice(text)
    #expect(choice == GPIOLineChoice(address, isActiveLow: isActiveLow))
    #expect(choice.description == text)
  }

  @Test(arguments: [
    ("", "it needs a line, as in 'gpiochip0,17', not ''"),
    ("17", "line 17 of which chip? As in 'gpiochip0,17'"),
    ("gpiochip0", "which line of gpiochip0? As in 'gpiochip0,17'"),
    ("chip,1", "a GPIO chip is 'gpiochip' and a number, not 'chip'"),
    ("gpiochip0,1,low", "after a GPIO line only 'active-low' may stand, not 'low'"),
  ])
  func textWithoutALine_isRefused(text: String, reason: String) {
    let refusal = #expect(throws: GPIOLineChoice.Invalid.self) { _ = try GPIOLineChoice(text) }
    #expect(refusal?.reason == reason)
  }
}
