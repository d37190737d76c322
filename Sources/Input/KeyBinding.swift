internal import Text

/// A line of the configuration that assigns an action to a key. Examples are `KEY_F5 next`, and `KEY_F5 next on
/// Steering Wheel` for one device.
package struct KeyBinding: Hashable, Sendable {
  /// The key or knob.
  package let code: InputCode
  /// The action.
  package let meaning: KeyTable.Meaning
  /// The name of the device, as the console command `keys` shows it. Nil if the binding is for all devices.
  package let device: String?

  /// The error for a text that is not a binding.
  package struct Refusal: Error, Equatable {
    /// What is wrong with the text, as a value.
    package enum Kind: Equatable, Sendable {
      /// The key or the action is missing.
      case incomplete
      /// The first word is not a key or knob.
      case unknownCode
      /// The second word is not an action of the key or knob.
      case unknownAction
      /// The text after the action is not `on` and the name of a device.
      case invalidDevice
    }

    package let kind: Kind
    /// What is wrong, as text for the user. The text continues a sentence.
    package let reason: String
  }

  /// Reads a line of the configuration.
  package init(_ text: String) throws(Refusal) {
    let words = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: true)
    guard words.count >= 2 else {
      throw Refusal(kind: .incomplete, reason: "it needs a key and an action, as in 'KEY_F5 next'")
    }
    let name = String(words[0])
    guard let code = InputCode(name) else {
      let near = nearestWord(to: name, among: InputCode.names).map { "; did you mean '\($0)'?" }
      throw Refusal(
        kind: .unknownCode,
        reason: "'\(name)' is not a key; 'keys' shows the name of a pressed key\(near ?? "")")
    }
    self.code = code
    meaning = try Self.meaning(String(words[1]), of: code)
    guard words.count > 2 else {
      device = nil
      return
    }
    guard words[2] == "on", words.count == 4 else {
      throw Refusal(
        kind: .invalidDevice,
        reason: "after the action only 'on' and the name of a device may follow")
    }
    device = String(words[3])
  }

  /// The error in a line, for the check of the configuration. Nil if the line is valid.
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
    return Refusal(
      kind: .unknownAction, reason: "'\(word)' is not an action of \(what); use one of \(known)")
  }
}
