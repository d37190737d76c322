import GPIO
import Testing

struct GPIOLineChoiceTests {
  @Test(
    arguments: [
      ("gpiochip0,17", GPIOAddress(chip: "gpiochip0", line: .offset(17)), false, nil),
      (
        "gpiochip2,LIGHTS,active-low", GPIOAddress(chip: "gpiochip2", line: .name("LIGHTS")), true,
        nil
      ),
      ("LIGHTS", GPIOAddress(line: .name("LIGHTS")), false, nil),
      ("LIGHTS,pull-down", GPIOAddress(line: .name("LIGHTS")), false, .down),
      (
        "gpiochip0,5,active-low,pull-up", GPIOAddress(chip: "gpiochip0", line: .offset(5)), true,
        .up
      ),
    ] as [(String, GPIOAddress, Bool, GPIOLineChoice.Pull?)])
  func text_isParsed_andWrittenUnchanged(
    text: String, address: GPIOAddress, isActiveLow: Bool, pull: GPIOLineChoice.Pull?
  ) throws {
    let choice = try GPIOLineChoice(text)
    #expect(choice == GPIOLineChoice(address, isActiveLow: isActiveLow, pull: pull))
    #expect(choice.description == text)
  }

  /// The reason of the error contains the wrong part of the text, or an example of a valid text.
  @Test(arguments: [
    ("", "'gpiochip0,17'"), ("17", "'gpiochip0,17'"), ("gpiochip0", "'gpiochip0,17'"),
    ("chip,1", "'chip'"), ("gpiochip0,1,low", "'low'"),
    ("gpiochip0,1,pull-up,active-low", "'pull-up'"),
  ])
  func textWithoutALine_isRefused(text: String, part: String) {
    let refusal = #expect(throws: GPIOLineChoice.Invalid.self) { _ = try GPIOLineChoice(text) }
    #expect(refusal?.reason.contains(part) == true)
  }
}
