public import Foundation

/// The programs that make music for tests: `flac`, `oggenc`, `oggdec`, `sox`. What the tests
/// compare with is made by them, never by the code under test.
public enum Tools {
  /// A program said no.
  public struct Failure: Error, CustomStringConvertible {
    /// What was run, and what it said.
    public let description: String
  }

  /// Runs a program to its end and returns what it printed.
  @discardableResult
  public static func run(_ program: String, _ arguments: [String], in folder: URL? = nil) throws
    -> Data
  {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    // Kept apart, and in a file: a full pipe that nobody reads would stop the program.
    let errors = FileManager.default.temporaryDirectory
      .appendingPathComponent("autoharp-\(UUID().uuidString).log")
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: errors) }
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let words = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
      throw Failure(
        description: "\(program) \(arguments.joined(separator: " ")): "
          + "exit \(process.terminationStatus)\n\(words)")
    }
    return data
  }
}

/// A folder that goes away with the test.
public final class TemporaryFolder {
  /// Where it is.
  public let url: URL

  /// Makes it.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("autoharp-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A file in it.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file.
  public func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: url.appendingPathComponent(name))
  }

  /// Reads a file.
  public func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url.appendingPathComponent(name)))
  }
}
