/// What `autoharp console` was told.
package struct ConsoleOptions: Hashable, Sendable {
  /// Where the daemon listens, unless told otherwise.
  package static let usualSocket = "/run/autoharp/control"

  /// Path of the control socket.
  package var socket: String
  /// Replies are JSON.
  package var json: Bool
  /// Where lines are kept from one console to the next; nil is nowhere.
  package var historyFile: String?
  /// One command, after which it is over; none is a prompt, or lines from standard input.
  package var words: [String]

  /// See the fields.
  package init(
    socket: String = usualSocket, json: Bool = false, historyFile: String? = nil,
    words: [String] = []
  ) {
    self.socket = socket
    self.json = json
    self.historyFile = historyFile
    self.words = words
  }
}
