import Control
import EventLoop
import Foundation
import Reports
import Settings
import TestKit
import Testing

@testable import Daemon

/// Creates the objects that the parts of the daemon need, such as the event loop and the log. Counts the turns
/// (``Turns``) that the parts request.
final class PartContext {
  let loop = EventLoop()
  /// Contains the folders `data`, `music`, `reports` and `sticks`.
  let folder: TemporaryFolder
  let turns: Turns
  let outbox: UnitOutbox
  /// The log puts nothing into the outbox, so its lines request no turn.
  let log = UnitLog(level: .debug, write: { _ in })
  let configuration: Configuration
  var settings: Settings { configuration.settings }
  private(set) var turnCount = 0
  /// Called in each turn.
  var onTurn: () -> Void = {}

  /// - Parameter lines: the lines of `unit.conf`. By default, the library and Bluetooth are off.
  init(_ lines: [String] = []) throws {
    folder = try TemporaryFolder()
    for name in ["data", "music", "reports", "sticks"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    let standard = [
      "state-folder = \(folder.path("data"))", "music-folder = \(folder.path("music"))",
      "control-socket = \(folder.path("control"))", "artwork-folder =", "library = no",
      "bluetooth = no",
    ]
    for (name, lines) in [("standard.conf", standard), ("unit.conf", lines)] {
      try folder.write(name, Array((lines.joined(separator: "\n") + "\n").utf8))
    }
    configuration = Self.read(folder.url.path)
    turns = Turns(loop)
    outbox = UnitOutbox(turns)
    turns.begin { [unowned self] in
      turnCount += 1
      onTurn()
    }
  }

  /// Reads the configuration in the folder of a context.
  static func read(_ folder: String) -> Configuration {
    Configuration(
      files: ["standard.conf", "unit.conf"].map { "\(folder)/\($0)" }, hasDriver: true,
      checks: SettingChecks(output: { _ in nil }, amplifier: { _ in nil }))
  }

  /// Creates the settings of the driver.
  func unitSettings() -> UnitSettings {
    UnitSettings(
      loop, configuration, UnitClock(loop, socket: folder.path("clock"), keeper: { .chip }), turns,
      log: log)
  }

  /// Calls `body`. Returns true if `body` requests a turn. The loop runs a requested turn before all other events.
  func isTurnRequested(by body: () throws -> Void) throws -> Bool {
    while try loop.step() {}
    let count = turnCount
    try body()
    try loop.step()
    return turnCount > count
  }

  /// The number of lines in the log about an event.
  func logged(_ event: LogEvent) -> Int {
    log.lines.count { $0.text.hasPrefix("\(event.rawValue): ") }
  }

  /// Takes the messages for clients, and returns the notices among them.
  func takeNotices() -> [UnitNotice] {
    outbox.take().compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
  }

  /// Writes a file as the helpers of the image do: into a new file, which is then renamed.
  func report(_ name: String, _ text: String) throws {
    try folder.write("report.new", Array(text.utf8))
    try #require(rename(folder.path("report.new"), folder.path(name)) == 0)
  }
}
