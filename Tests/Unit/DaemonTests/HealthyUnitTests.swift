import Foundation
import Reports
import TestKit
import Testing

/// Units in which nothing is wrong, however they are set up and whatever they do. `diagnose` must find no fault.
@Suite(.serialized) struct HealthyUnitTests {
  /// A unit, and what happens to it before the diagnosis.
  struct SetUp: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let lines: [String]
    /// The lengths of the songs, in seconds.
    let songs: [Int]
    /// The commands of the console, in order.
    let commands: [String]
    /// What the daemon logs before the diagnosis.
    let event: LogEvent

    init(
      _ name: String, _ lines: [String] = [], songs: [Int] = [60, 60], _ commands: [String] = [],
      until event: LogEvent = .trackStarted
    ) {
      testDescription = name
      self.lines = lines
      self.songs = songs
      self.commands = commands
      self.event = event
    }
  }

  static let setUps = [
    SetUp("plays"),
    SetUp("is empty", songs: [], until: .musicFound),
    SetUp("waits for its first play", ["start = paused"], until: .playbackTaken),
    SetUp("is paused", ["replay-gain = album"], ["pause"]),
    SetUp("is stopped", [], ["stop"]),
    SetUp("has played to the end", songs: [1], until: .playbackStopped),
    SetUp("is in a call", [], ["interrupt begin call"]),
    SetUp("was in a call", [], ["interrupt begin call", "interrupt end call"]),
    SetUp("is ducked", [], ["duck begin prompt"]),
    SetUp("has a button without a command", ["button = rate", "button = stars"]),
    SetUp("has refused commands", [], ["rate 2", "rate 2", "seek 9:00", "stars 3"]),
    SetUp("is shuffled and repeated", [], ["shuffle on", "repeat all", "next", "previous"]),
    SetUp("speaks German", ["language = de"]),
    SetUp("has no Bluetooth", ["bluetooth = no"]),
    SetUp("is parked", ["parked = always"]),
    SetUp("is never parked", ["parked = never"]),
    SetUp("plays at a fixed volume", ["start-volume-maximum = 30"]),
    SetUp("keeps no covers", ["artwork-folder ="]),
    SetUp("has a library", ["library = yes"]),
    SetUp("has many buttons", (1...5).map { "button = b\($0): next" }),
  ]

  @Test(arguments: setUps) func diagnose_findsNoFault(_ setUp: SetUp) throws {
    let home = try ServeProcess.Home()
    var lines = setUp.lines
    if lines.contains("library = yes") {
      lines.append("library-folder = \(home.folder.path("library"))")
    }
    if !lines.contains(where: { $0.hasPrefix("start ") }) { lines.append("start = play") }
    try home.configure(lines)
    for (number, seconds) in setUp.songs.enumerated() {
      try home.music("song\(number)", seconds: seconds)
    }
    let daemon = try ServeProcess(
      home, environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(home.folder.path("no-bus"))"])
    #expect(daemon.waits(for: setUp.event) != nil, "\(daemon.log)")
    for command in setUp.commands {
      let run = try ConsoleProcess(home.socket, command.split(separator: " ").map(String.init))
      #expect(run.status < 2, "the console knows \(command)")
    }
    let run = try ConsoleProcess(home.socket, ["diagnose", "--details"])
    #expect(run.status == 0, "\(run)")
    #expect(daemon.end() == 0)
  }
}
