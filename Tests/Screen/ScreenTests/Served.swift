import Control
import EventLoop
import Foundation
import NowPlaying
import ScreenDisplay
import ScreenLayout
import TestKit
import Testing

@testable import Screen

/// Runs `autoharp serve` in a private folder.
final class Served {
  let folder: TemporaryFolder
  private let process = ChildProcess()
  private static let programs = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent()

  /// - Parameter hasLibrary: true if the real library runs and reads the music folder.
  init(
    _ lines: [String] = [], cover: [UInt8]? = nil, files: [String: [UInt8]] = [:],
    hasLibrary: Bool = false
  ) throws {
    folder = try TemporaryFolder()
    for name in ["music", "data"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    for track in 1...3 {
      try GeneratedMusic(channels: 1, rate: 8000, frames: 8000 * 60).flac(
        folder, "music/\(track).flac", ["--tag=TITLE=Track \(track)", "--tag=ALBUM=All of it"])
    }
    if let cover { try folder.write("music/cover.png", cover) }
    for (name, bytes) in files { try folder.write("music/\(name)", bytes) }
    let all =
      [
        "music-folder = \(folder.path("music"))", "output = null",
        "start = \(hasLibrary ? "paused" : "play")", "library = \(hasLibrary ? "yes" : "no")",
        "library-folder = \(folder.path("data/library"))",
        "state-folder = \(folder.path("data"))",
        "artwork-folder = \(folder.path("data/art"))",
        "control-socket = \(socket)",
      ] + lines
    try (all.joined(separator: "\n") + "\n").write(
      toFile: folder.path("unit.conf"), atomically: true, encoding: .utf8)
    process.executableURL = Self.programs.appendingPathComponent("autoharp")
    process.arguments = ["serve", "--config", folder.path("unit.conf")]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  var socket: String { folder.path("control") }

  static func program(_ name: String) -> ChildProcess {
    let process = ChildProcess()
    process.executableURL = programs.appendingPathComponent(name)
    return process
  }

  static var policy: ClientPolicy {
    var policy = ClientPolicy()
    policy.serviceName = nil
    return policy
  }
}

/// A screen in this process, on a display in memory.
final class Shown {
  let loop = EventLoop()
  let display = MemoryDisplay(size: PixelSize(width: 800, height: 480))
  let unit: ScreenController
  var log: [(event: ScreenEvent, words: String)] = []

  init(_ served: Served, _ preferences: ScreenPreferences = ScreenPreferences()) throws {
    let client = ControlClient(loop, path: served.socket, policy: Served.policy)
    unit = ScreenController(loop, client, display, preferences)
    unit.onLog = { [unowned self] in log.append(($0, $1)) }
    client.onSettings = { [unowned self] in unit.receive($0) }
    client.subscribeToSettings()
    try unit.start()
  }

  deinit { unit.shutDown() }

  var state: NowPlayingState? { unit.model.state }

  /// Runs the event loop until the condition is true. Only a failed test reaches the time limit of a minute.
  func turn(
    until condition: () -> Bool, _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let deadline = EventClock.monotonic.now + 60_000_000_000
    while !condition() {
      try #require(
        EventClock.monotonic.now < deadline, "\(log) \(shownTexts)", sourceLocation: sourceLocation)
      try loop.step(timeout: .milliseconds(100))
    }
  }

  /// All texts of the picture, for the message of a failed test.
  private var shownTexts: [String] {
    (unit.scene?.elements ?? []).compactMap {
      if case .text(let run) = $0.content { run.text } else { nil }
    }
  }

  /// Waits until the element has an action, and taps the element at its present position.
  func tap(_ id: ElementID, _ sourceLocation: SourceLocation = #_sourceLocation) throws {
    try turn(until: { unit.scene?.hitAreas.first { $0.id == id }?.tap != nil }, sourceLocation)
    let area = try #require(unit.scene?.hitAreas.first { $0.id == id })
    let at = Duration.nanoseconds(EventClock.monotonic.now)
    display.onPointer?(.down(0, x: area.frame.midX, y: area.frame.midY, at: at))
    display.onPointer?(.up(0, x: area.frame.midX, y: area.frame.midY, at: at))
  }
}
