import NowPlayingClient
import Testing

@testable import autoharp_app

@Suite struct CommandLineParserTests {
  private func message(_ words: String...) -> String? {
    do {
      _ = try parseCommandLine(words)
      return nil
    } catch {
      return error.message
    }
  }

  @Test func validCommandLine_isParsed() throws {
    var options = Options()
    (options.id, options.name, options.program) = ("ff", "FFmpeg", ["ffmpeg", "--id", "x"])
    #expect(
      try parseCommandLine(["--id", "ff", "--name=FFmpeg", "--", "ffmpeg", "--id", "x"])
        == .run(options))
    options.format = PCMFormat(samples: .s24, rate: 8000, channels: 1)
    (options.kind, options.start, options.restart) = (.live, .play, .always)
    options.commands = [.next, .seekToPosition, .stop]
    #expect(
      try parseCommandLine([
        "--id=ff", "--name", "FFmpeg", "--format", "s24:8000:1", "--kind=live", "--start=play",
        "--restart=always", "--commands", "next,seek,stop,next", "--", "ffmpeg", "--id", "x",
      ]) == .run(options))
    #expect(try parseCommandLine(["--id", "ff", "--help", "--frob"]) == .help)
  }

  @Test func invalidCommandLine_isRefused() {
    let program = ["--id=a", "--name=A", "--", "x"]
    func refused(_ option: String, _ word: String) -> Bool {
      do {
        _ = try parseCommandLine([option] + program)
        return false
      } catch { return error.message.contains(word) }
    }
    #expect(message("--name=A", "--", "x")?.contains("--id") == true)
    #expect(message("--id=a", "--", "x")?.contains("--name") == true)
    #expect(message("--id=a", "--name=A")?.contains("--") == true)
    #expect(message("--id=a", "--name=A", "--", "")?.contains("--") == true)
    #expect(message("--id=a", "--name=A", "x")?.contains("'x'") == true)
    #expect(message("--id", "--name=A")?.contains("--id") == true)
    #expect(refused("--frob\u{1B}", "'--frob?'"))
    for id in ["A", "1a", "a_b", "ä", String(repeating: "a", count: 33), "a.b"] {
      #expect(refused("--id=\(id)", "'\(id)'"), "\(id)")
    }
    for format in [
      "s16", "s8:44100:2", "s16:7999:2", "s16:192001:2", "s16:44100:3", "s16:44100:2:",
    ] {
      #expect(refused("--format=\(format)", "'\(format)'"), "\(format)")
    }
    for option in ["--kind", "--start", "--restart"] {
      #expect(refused("\(option)=frob", "'frob'"), "\(option)")
      #expect(refused("\(option)=", option), "\(option)")
    }
    for name in ["frob", "next,", "changePlaybackRate", "enableLanguageOption", "clearQueue"] {
      #expect(refused("--commands=\(name)", "is not one of"), "\(name)")
    }
  }

  @Test func helpText_namesEachOption() {
    for option in ["--id", "--name", "--format", "--kind", "--start", "--restart", "--commands"] {
      #expect(helpText.contains("  \(option) "), "\(option)")
    }
    #expect(helpText.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
