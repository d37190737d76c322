internal import Text

/// A line of the configuration: `KEY_F5 next`, or `KEY_F5 next on Steering Wheel` for one device.
package struct KeyBinding: Hashable, Sendable {
  /// The key or knob.
  package let code: InputCode
  /// The action.
  package let meaning: KeyTable.Meaning
  /// The device's name, as `keys` reports it. Nil for all devices.
  package let device: String?

  /// Why a text is not a binding. The reason is the end of a sentence.
  package struct Refusal: Error, Equatable {
    /// In words.
    package let reason: String
  }

  /// Reads a line of the configuration.
  package init(_ text: String) throws(Refusal) {
    let words = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: true)
    guard words.count >= 2 else {
      throw Refusal(reason: "it is a key and what it is for, as in 'KEY_F5 next'")
    }
    let name = String(words[0])
    guard let code = InputCode(name) else {
      let near = nearestWord(to: name, among: InputCode.names).map { "; did you mean '\($0)'?" }
      throw Refusal(reason: "'\(name)' is no key; 'keys' names one that is pressed\(near ?? "")")
    }
    self.code = code
    meaning = try Self.meaning(String(words[1]), of: code)
    guard words.count > 2 else {
      device = nil
      return
    }
    guard words[2] == "on", words.count == 4 else {
      throw Refusal(reason: "behind it may stand 'on' and the name of a device, and nothing else")
    }
    device = String(words[3])
  }

  /// The error of a line, for the check of the configuration. Nil if the line is valid.
  package static func check(_ text: String) -> String? {
    do throws(Refusal) {
      _ = try KeyBinding(text)
      return nil
    } catch {
      return error.reason
    }
  }

  private static func meaning(_ word: String, of code: InputCode) throws(Refusal)
    -> KeyTable.Meaning
  {
    switch code.kind {
    case .key:
      if let action = KeyAction(rawValue: word) { return .key(action) }
      throw refusal(word, "a key", KeyAction.allCases.map(\.rawValue))
    case .turn:
      if let action = TurnAction(rawValue: word) { return .turn(action) }
      throw refusal(word, "a knob", TurnAction.allCases.map(\.rawValue))
    }
  }

  private static func refusal(_ word: String, _ what: String, _ known: [String]) -> Refusal {
    let known = known.joined(separator: ", ")
    return Refusal(reason: "'\(word)' is nothing that \(what) can be for, as \(known) are")
  }
}
