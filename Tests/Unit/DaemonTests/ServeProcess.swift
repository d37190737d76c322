import Foundation
import Reports
import TestKit

/// `autoharp serve` as a process, with its own configuration.
final class ServeProcess {
  /// The folder of a unit. All starts of this unit use the same folder.
  struct Home {
    let folder: TemporaryFolder

    /// - Parameter configuration: the lines that this test needs in addition to the usual lines.
    init(_ configuration: [String] = []) throws {
      folder = try TemporaryFolder()
      for name in ["music", "data"] {
        try FileManager.default.createDirectory(
          atPath: folder.path(name), withIntermediateDirectories: true)
      }
      try configure(configuration)
    }

    func configure(_ lines: [String]) throws {
      let usual = [
        "music-folder = \(folder.path("music"))", "output = null",
        "state-folder = \(folder.path("data"))", "artwork-folder = \(folder.path("data/art"))",
        "control-socket = \(folder.path("control"))", "library = no",
      ]
      // A setting key that is given twice would cause a warning.
      let keys = Set(lines.compactMap { $0.split(separator: " ").first })
      let all = usual.filter { !keys.contains($0.split(separator: " ")[0]) } + lines
      try (all.joined(separator: "\n") + "\n").write(
        toFile: folder.path("unit.conf"), atomically: true, encoding: .utf8)
    }

    /// The path of the control socket.
    var socket: String { folder.path("control") }

    /// Gives the short name `car` to a simulated sound card, and to its mixer if it has one. An output name has at most
    /// 255 bytes, and the name of a `PacedPCM` can be longer. Returns the environment variable that the daemon needs
    /// for this name.
    func plugIn(_ card: PacedPCM, mixer: SwitchControl? = nil) throws -> [String: String] {
      var text = "<\(PacedPCM.configurationPath)>\npcm.car \"\(card.name)\"\n"
      if let mixer {
        text += "<\(SwitchControl.configurationPath)>\nctl.car \"\(mixer.name)\"\n"
      }
      try folder.write("asound.conf", Array(text.utf8))
      return ["ALSA_CONFIG_PATH": folder.path("asound.conf")]
    }

    /// Writes a track with this duration.
    func music(_ name: String, seconds: Int) throws {
      try GeneratedMusic(channels: 1, rate: 8000, frames: 8000 * seconds).flac(
        folder, "music/\(name).flac", ["--tag=TITLE=\(name)"])
    }
  }

  /// The executable is in the same folder as the tests.
  static let program = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("autoharp")

  private let process = ChildProcess()
  private let pipe = Pipe()
  private var text: [UInt8] = []
  /// All lines of the log so far.
  private(set) var log: [String] = []

  /// - Parameter wrapper: a program and its arguments. This program then executes the daemon, for example `setpriv …`.
  init(_ home: Home, environment: [String: String] = [:], wrapper: [String] = []) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      wrapper + [Self.program.path, "serve", "--config", home.folder.path("unit.conf")]
    // The daemon reads the state of the machine from this folder, so the tests do not depend on their machine.
    let machine = ["AUTOHARP_MACHINE": home.folder.path("machine")]
    process.environment = ProcessInfo.processInfo.environment.merging(machine) { $1 }
      .merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardError = pipe
    try process.run()
    try pipe.fileHandleForWriting.close()
  }

  var pid: pid_t { process.processIdentifier }
  /// True until all threads have ended and released their resources. The main thread can end before the other threads.
  var isRunning: Bool { process.isRunning }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for a log line of this event that contains `words`, for example a path or a number. Returns nil if the
  /// process ends before it logs this line, or if it logs nothing for ``Hang/limit``.
  @discardableResult
  func waits(for event: LogEvent, _ words: String = "") -> String? {
    waits { $0.starts(with: "\(event.rawValue): ") && (words.isEmpty || $0.contains(words)) }
  }

  /// True if a line of this event that contains `words` was logged.
  func logged(_ event: LogEvent, _ words: String = "") -> Bool {
    log.contains {
      $0.starts(with: "\(event.rawValue): ") && (words.isEmpty || $0.contains(words))
    }
  }

  /// Waits until the daemon logs the storage notice with this identifier, such as `data.checking`.
  func waits(forStorage identifier: String) -> Bool {
    waits { $0.starts(with: "\(identifier): ") } != nil
  }

  private func waits(_ isExpected: (String) -> Bool) -> String? {
    var seen = 0
    while true {
      if let line = log.dropFirst(seen).first(where: isExpected) { return line }
      seen = log.count
      guard readMore() else { return nil }
    }
  }

  /// Sends a signal that ends the process, and waits for its end.
  @discardableResult
  func end(_ signal: Int32 = SIGTERM) -> Int32 {
    send(signal)
    process.waitUntilExit()
    // This does not read to the end of the pipe, because a process of another test can still have the pipe open.
    while readMore(within: 0) {}
    return process.terminationStatus
  }

  private func readMore(within milliseconds: Int32 = Int32(Hang.milliseconds)) -> Bool {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    var left = milliseconds
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, min(left, 200)) > 0 { break }
      left -= 200
      guard left > 0, process.isRunning else { return false }
    }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return false }
    text += bytes[..<count]
    while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
      log.append(String(decoding: text[..<end], as: UTF8.self))
      text.removeSubrange(...end)
    }
    return true
  }
}
