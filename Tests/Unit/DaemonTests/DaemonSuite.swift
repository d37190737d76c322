import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import TestKit
import Testing

/// A suite that calls a daemon over its control socket.
protocol DaemonSuite {
  var home: ServeProcess.Home { get }
  var loop: EventLoop { get }
}

extension DaemonSuite {
  /// Creates a client, and waits until it is connected to the daemon.
  func client() throws -> ControlClient {
    var policy = ClientPolicy()
    policy.serviceName = nil
    let client = ControlClient(loop, path: home.socket, policy: policy)
    client.start()
    try loop.turn { client.state == .connected }
    return client
  }

  /// Waits for the answer to a call.
  func answer<Value>(
    _ ask: (@escaping ControlClient.Completion<Value>) -> Void
  ) throws -> Result<Value, ControlError> {
    var result: Result<Value, ControlError>?
    ask { result = $0 }
    try loop.turn { result != nil }
    return try #require(result)
  }

  /// Waits until a call that returns no value is carried out.
  func done(_ ask: (@escaping ControlClient.Completion<Void>) -> Void) throws {
    try answer(ask).get()
  }

  /// Waits for the end of a call. Returns the code of the refusal; nil if the call is carried out.
  func code(
    _ ask: (@escaping ControlClient.Completion<Void>) -> Void
  ) throws -> Refusal.Code? {
    if case .failure(let error) = try answer(ask) { error.refusal.code } else { nil }
  }

  /// Waits until the library has read this number of songs.
  func waitForSongs(_ client: ControlClient, _ count: Int) throws {
    try loop.turn {
      let state = try? answer { client.libraryState($0) }.get()
      return state?.songs == count && state?.condition == .ready
    }
  }

  /// The process identifier of the library process.
  func libraryProcess() throws -> pid_t {
    let text = try Tools.run(
      "pgrep", ["-f", "autoharp-library serve .*\(home.folder.path("library"))"])
    let number = String(decoding: text, as: UTF8.self).split(separator: "\n").first ?? ""
    return try #require(pid_t(number))
  }
}
