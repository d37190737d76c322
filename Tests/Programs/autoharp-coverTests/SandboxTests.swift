import Foundation
import PictureExchange
import TestKit
import Testing

@testable import autoharp_cover

/// Runs `autoharp-cover` as a process.
@Suite struct SandboxTests {
  /// The executable is in the same folder as the tests.
  private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("autoharp-cover")

  private func cover(
    _ arguments: [String], _ picture: [UInt8],
    into output: Any? = FileHandle(forWritingAtPath: "/dev/null"),
    environment: [String: String] = [:]
  ) throws -> ChildProcess {
    let process = ChildProcess()
    process.executableURL = Self.program
    process.arguments = arguments
    process.environment = environment
    let file = try #require(PictureFile.create(holding: picture))
    lseek(file, 0, SEEK_SET)
    let input = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: "/dev/null")
    try process.run()
    return process
  }

  private func status(_ arguments: [String], _ picture: [UInt8]) throws -> PictureStatus? {
    let process = try cover(arguments, picture)
    process.waitUntilExit()
    return process.terminationReason == .exit
      ? PictureStatus(rawValue: process.terminationStatus) : nil
  }

  @Test func result_isDecoded_sealed_andCannotBeChanged() throws {
    let request = PictureRequest(.cover, side: 20)
    let result = try #require(PictureFile.create(for: request))
    let output = FileHandle(fileDescriptor: result, closeOnDealloc: true)
    let process = try cover(
      request.arguments, GeneratedPNG.halves(100, 100).bytes, into: output)
    process.waitUntilExit()
    #expect(process.terminationStatus == PictureStatus.decoded.rawValue)
    let size = PictureFile.read(result, request) { width, height, pixels in
      // Blue, green, red of the first pixel.
      [width, height] + pixels.prefix(3).map { Int($0) }
    }
    #expect(size == [20, 20, 0x20, 0x20, 0xC0])
    #expect(pwrite(result, [1], 1, 0) == -1 && errno == EPERM)
    #expect(ftruncate(result, 0) == -1 && errno == EPERM)
  }

  @Test func reason_isTheStatus() throws {
    let picture = GeneratedPNG.halves(10, 10).bytes
    #expect(try status(["cover", "20"], picture) == .decoded)
    #expect(try status(["shape", "20"], picture) == .decoded)
    #expect(try status(["cover", "20"], Array(picture.dropLast(100))) == .damaged)
    #expect(try status(["cover", "20"], Array("GIF89a".utf8)) == .unknownFormat)
    #expect(try status(["cover", "20"], []) == .unknownFormat)
    #expect(
      try status(["cover", "20"], GeneratedPictures.png(9000, 9000)) == .tooLarge)
    for arguments in [
      [], ["cover"], ["cover", "0"], ["cover", "2049"], ["photo", "20"], ["cover", "2 "],
    ] {
      #expect(try status(arguments, picture) == .usage)
    }
  }

  /// The program blocks when its output pipe is full. At this time, it has already given up its rights.
  @Test func runningProgram_hasNoRightsAndLittleMemory() throws {
    let pipe = Pipe()
    let process = try cover(
      ["cover", "400"], GeneratedPNG.halves(400, 400).bytes, into: pipe)
    let reading = pipe.fileHandleForReading
    #expect(reading.readData(ofLength: 8) == Data(PictureFile.header(width: 400, height: 400)))
    let folder = "/proc/\(process.processIdentifier)"
    let status = try String(contentsOfFile: folder + "/status", encoding: .utf8)
    #expect(status.contains("\nNoNewPrivs:\t1\n"))
    #expect(status.contains("\nSeccomp:\t2\n"), "a filter is active")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder + "/fd").sorted() == [
        "0", "1", "2",
      ])
    let limits = try String(contentsOfFile: folder + "/limits", encoding: .utf8)
      .split(separator: "\n").map { $0.split(whereSeparator: { $0 == " " }).map(String.init) }
    #expect(limits.contains { $0.starts(with: ["Max", "data", "size", "\(Sandbox.memory)"]) })
    #expect(limits.contains { $0.starts(with: ["Max", "open", "files", "0"]) })
    #expect(reading.readDataToEndOfFile().count == 400 * 400 * 4)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// Simulates the attacks of a decoder that a picture has taken over. A preloaded library replaces a function of
  /// libpng that the decoder calls, and runs the attack.
  @Test(
    .enabled(if: cc == nil, "\(cc ?? "")"),
    arguments: [
      ("socket", SIGSYS), ("fork", SIGSYS), ("exec", SIGSYS), ("kill", SIGSYS),
      ("ptrace", SIGSYS), ("code", SIGSYS), ("map", SIGSYS), ("memory", 0), ("file", 0),
    ])
  func decoderThatWasTakenOver_isEnded(_ attack: String, _ signal: Int32) throws {
    let folder = try TemporaryFolder()
    let library = try Self.hostileLibrary(in: folder)
    let process = try cover(
      ["cover", "20"], GeneratedPNG.halves(10, 10).bytes,
      environment: ["LD_PRELOAD": library, "ATTACK": attack])
    process.waitUntilExit()
    if signal == 0 {
      // The kernel refuses the attack with an error. Then the library ends the process with the status 99.
      #expect(process.terminationReason == .exit && process.terminationStatus == 99)
    } else {
      #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
    }
  }

  private static let cc: String? = {
    do {
      try Tools.run("cc", ["--version"])
      return nil
    } catch {
      return "the C compiler (cc) that builds the library is missing"
    }
  }()

  private static func hostileLibrary(in folder: TemporaryFolder) throws -> String {
    let source = folder.path("hostile.c")
    try """
    #include <errno.h>
    #include <fcntl.h>
    #include <signal.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/mman.h>
    #include <sys/ptrace.h>
    #include <sys/socket.h>
    #include <unistd.h>
    void *png_create_info_struct(void *png) {
      const char *attack = getenv("ATTACK");
      char *none[] = {0};
      int succeeded = 0;
      if (!strcmp(attack, "socket")) succeeded = socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
      if (!strcmp(attack, "fork")) succeeded = fork() >= 0;
      if (!strcmp(attack, "exec")) succeeded = execve("/bin/true", none, none) >= 0;
      if (!strcmp(attack, "kill")) succeeded = kill(getppid(), 0) >= 0;
      if (!strcmp(attack, "ptrace")) succeeded = ptrace(PTRACE_TRACEME, 0, 0, 0) >= 0;
      if (!strcmp(attack, "code"))
        succeeded = mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
      if (!strcmp(attack, "map"))
        succeeded = mmap(0, 4096, PROT_READ, MAP_PRIVATE, 0, 0) != MAP_FAILED;
      if (!strcmp(attack, "memory")) {
        for (int piece = 0; piece < 40 && !succeeded; piece++) {
          char *memory = malloc(1 << 20);
          if (!memory) _exit(99);
          memset(memory, 1, 1 << 20);
        }
        succeeded = 1;
      }
      if (!strcmp(attack, "file"))
        succeeded = open("/etc/passwd", O_RDONLY) >= 0 || errno != EACCES;
      _exit(succeeded ? 98 : 99);
    }
    """.write(toFile: source, atomically: true, encoding: .utf8)
    let library = folder.path("hostile.so")
    try Tools.run("cc", ["-shared", "-fPIC", "-O1", "-o", library, source])
    return library
  }
}
