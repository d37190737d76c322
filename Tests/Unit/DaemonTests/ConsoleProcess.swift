import Foundation
import TestKit

/// `autoharp console` as a process, for one command.
struct ConsoleProcess {
  let status: Int32
  let output: String
  let errors: String

  /// Runs the command and waits for its end.
  init(_ socket: String, _ words: [String], options: [String] = []) throws {
    let process = ChildProcess()
    process.executableURL = ServeProcess.program
    process.arguments = ["console", "--socket", socket] + options + words
    process.environment = ProcessInfo.processInfo.environment.merging([
      "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TERM": "vt102",
    ]) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Standard error gets only one or two lines. They fit into the pipe, so the process does not block.
    self.output = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }
}
