import Foundation
import Reports
import TestKit
import Testing

/// The real daemon with a `/data` that is full, read-only or removed. The daemon continues to play, and reports a full
/// or read-only `/data`. Each test has its own mounts. Only root can mount.
@Suite(.serialized, .enabled(if: canMount, "only root may mount"))
struct DataFolderTests {
  /// Starts the daemon in its own mount namespace, after these shell commands. In the commands, `$D` is the folder
  /// `/data` of the test.
  private func start(_ commands: String) throws -> (ServeProcess.Home, ServeProcess) {
    let home = try ServeProcess.Home(["start = play"])
    try home.music("a", seconds: 600)
    let daemon = try ServeProcess(
      home,
      wrapper: [
        "unshare", "-m", "sh", "-ec", "D='\(home.folder.path("data"))'; \(commands); exec \"$@\"",
        "sh",
      ])
    return (home, daemon)
  }

  private func finds(_ words: String, _ home: ServeProcess.Home) throws {
    var run = try ConsoleProcess(home.socket, ["diagnose", "--details"])
    let end = ContinuousClock.now + Hang.limit
    // `diagnose` wraps its lines, so the words can be in two lines.
    func text() -> String {
      run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    while !text().contains(words), ContinuousClock.now < end {
      run = try ConsoleProcess(home.socket, ["diagnose", "--details"])
    }
    #expect(text().contains(words) && run.status == 1, "\(words): \(run)")
  }

  /// Checks that commands are answered and that music plays.
  private func plays(_ home: ServeProcess.Home) throws {
    #expect(try ConsoleProcess(home.socket, ["seek", "30"]).status == 0)
    let now = try ConsoleProcess(home.socket, ["now"])
    #expect(now.output.contains("playing"), "\(now)")
  }

  @Test func fullStorage_isReported_andPlaybackContinues() throws {
    let (home, daemon) = try start(
      "mount -t tmpfs -o size=64k tmpfs \"$D\"; dd if=/dev/zero of=\"$D\"/fill 2>/dev/null || true")
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil, "\(daemon.log)")
    try finds("✗ storage", home)
    try finds("is full", home)
    try plays(home)
    #expect(daemon.end() == 0)
  }

  @Test func readOnlyStorage_isReported_andPlaybackContinues() throws {
    let (home, daemon) = try start("mount -t tmpfs -o ro tmpfs \"$D\"")
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil, "\(daemon.log)")
    try finds("is mounted read-only", home)
    try finds("✗ state", home)
    try plays(home)
    #expect(daemon.end() == 0)
  }

  @Test func removedStorage_playbackContinues() throws {
    let (home, daemon) = try start("mount -t tmpfs -o size=4m tmpfs \"$D\"")
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil, "\(daemon.log)")
    try Tools.run(
      "nsenter", ["-t", "\(daemon.pid)", "-m", "umount", "-l", home.folder.path("data")])
    try plays(home)
    #expect(try ConsoleProcess(home.socket, ["status"]).output.contains("playing"))
    #expect(daemon.end() == 0)
  }
}

private let canMount =
  getuid() == 0
  && (try? Tools.run("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"])) != nil
