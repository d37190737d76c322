/// A question to the user before a command is sent.
package struct Confirmation: Sendable {
  /// The name of the command. A script without `--yes` gets a message that contains this name.
  let name: String
  /// Lines that are shown before the question.
  let warning: [String]
  package let question: String
  /// The accepted answers. Any other answer cancels the command.
  let answers: [String]
}

extension ConsoleCommand {
  /// The question for this command. Nil if the command needs no confirmation.
  package var confirmation: Confirmation? {
    switch self {
    case .reboot:
      Confirmation(
        name: "reboot", warning: [], question: "Restart the machine? [y/N] ",
        answers: ["y", "yes"])
    case .poweroff:
      Confirmation(
        name: "poweroff", warning: [], question: "Switch the machine off? [y/N] ",
        answers: ["y", "yes"])
    case .playlist(.delete(let name)):
      Confirmation(
        name: "playlist delete", warning: [], question: "Delete the playlist '\(name)'? [y/N] ",
        answers: ["y", "yes"])
    case .freeSpace(deletes: true):
      Confirmation(
        name: "storage free", warning: [],
        question: "Delete old logs and stored covers? [y/N] ",
        answers: ["y", "yes"])
    case .stick(.report(let name)):
      Confirmation(
        name: "report stick", warning: [],
        question:
          "Write a file with the report to \(name.map { "'\($0)'" } ?? "the stick")? [y/N] ",
        answers: ["y", "yes"])
    case .data(.erase):
      Confirmation(
        name: "data erase",
        warning: [
          "This erases personal data: paired phones, likes, bookmarks, stars, the queue, positions",
          "in the music, the library, covers and logs. Music, playlists and settings stay.",
          "The music stops, and the machine restarts.",
        ],
        question: "Type 'erase' to erase the personal data: ", answers: ["erase"])
    case .data(.format):
      Confirmation(
        name: "data format",
        warning: [
          "This erases the unit's storage: music, paired phones, settings, playlists, covers,",
          "the position in the music, and logs. Sticks stay as they are.",
          "The music stops. After that, the machine restarts.",
        ],
        question: "Type 'format' to erase the storage: ", answers: ["format"])
    default: nil
    }
  }
}
