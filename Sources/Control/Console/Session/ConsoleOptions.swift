internal import Glibc

/// The options of `autoharp console`.
package struct ConsoleOptions: Hashable, Sendable {
  /// The default path of the control socket.
  package static let defaultSocket = "/run/autoharp/control"

  /// The path in the environment variable `AUTOHARP_SOCKET`, or else ``defaultSocket``.
  package static var standardSocket: String {
    getenv("AUTOHARP_SOCKET").map { String(cString: $0) } ?? defaultSocket
  }

  /// The path of the control socket.
  package var socket: String
  /// True if replies and events are written as JSON.
  package var json: Bool
  /// The file in which the entered lines are stored for later sessions. If nil, no lines are stored.
  package var historyFile: String?
  /// True if Ctrl-C ends the console while no command runs. False if Ctrl-C only discards the line.
  package var endsOnInterrupt: Bool
  /// The words of one command to execute. If empty, the console reads lines from the terminal or standard input.
  package var words: [String]

  /// Creates options. By default, these are the options of an interactive console without a history file.
  package init(
    socket: String = standardSocket, json: Bool = false, historyFile: String? = nil,
    endsOnInterrupt: Bool = false, words: [String] = []
  ) {
    self.socket = socket
    self.json = json
    self.historyFile = historyFile
    self.endsOnInterrupt = endsOnInterrupt
    self.words = words
  }
}
