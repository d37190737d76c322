/// A question to the user before a command is sent.
package struct Confirmation: Sendable {
  /// The name of the command, for the message to a script, which must give --yes.
  let name: String
  /// Lines before the question.
  let warning: [String]
  let question: String
  /// The accepted answers. Any other answer cancels the command.
  let answers: [String]
}

extension ConsoleCommand {
  /// Nil for commands that need no confirmation.
  package var confirmation: Confirmation? {
    switch self {
    case .reboot:
      Confirmation(
        name: "reboot", warning: [], question: "Start the machine again? [y/N] ",
        answers: ["y", "yes"])
    case .poweroff:
      Confirmation(
        name: "poweroff", warning: [], question: "Switch the machine off? [y/N] ",
        answers: ["y", "yes"])
    case .data(.format):
      Confirmation(
        name: "data format",
        warning: [
          "Everything on the unit's storage is lost: music, paired phones, settings, playlists,",
          "covers, the place in the music, and logs. Sticks are not touched.",
          "The music stops, and the machine starts again afterwards.",
        ],
        question: "Type 'format' to make the storage empty: ", answers: ["format"])
    default: nil
    }
  }
}
