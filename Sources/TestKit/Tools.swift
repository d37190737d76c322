public import Foundation

/// Programs that tests run, such as `flac`, `oggenc`, `oggdec` and `sox`. These programs make the expected results,
/// which must not come from the code under test.
public enum Tools {
  /// The error that is thrown if a program has failed.
  public struct Failure: Error, CustomStringConvertible {
    /// The command, its exit status, and its error output.
    public let description: String
  }

  /// Runs a program and returns its output. Blocks until the program has ended.
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
    // The error output goes to a file and not to a pipe. No thread would read the pipe, and a full pipe would block the
    // program.
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

/// A folder that is deleted when this object is deallocated.
public final class TemporaryFolder {
  /// The path of the folder.
  public let url: URL

  /// Creates the folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("autoharp-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in the folder.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a script that can be started at once. Returns its path.
  ///
  /// If another test starts a child process at the same time, the child inherits the descriptor with which this method
  /// writes the file. The child has this copy until its `exec`. While this copy is open, the kernel refuses to start
  /// the file (ETXTBSY), and also refuses a read lease. So this method waits until the kernel grants a read lease.
  public func writeScript(
    _ name: String, _ text: String, of interpreter: String = "/bin/sh"
  ) throws -> String {
    try write(name, Array("#!\(interpreter)\n\(text)\n".utf8))
    let path = path(name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    // The value of F_SETLEASE in <fcntl.h>. The Glibc module does not import this macro.
    let setLease: Int32 = 1024
    let end = ContinuousClock.now + Hang.limit
    while fcntl(file, setLease, Int32(F_RDLCK)) != 0 {
      guard errno == EAGAIN, ContinuousClock.now < end else {
        throw Tools.Failure(description: "lease of \(path): \(String(cString: strerror(errno)))")
      }
      usleep(1000)
    }
    return path
  }

  /// Writes a file in the folder.
  public func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: url.appendingPathComponent(name))
  }

  /// Reads a file of the folder.
  public func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url.appendingPathComponent(name)))
  }
}
