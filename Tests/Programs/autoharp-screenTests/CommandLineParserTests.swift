import ScreenLayout
import Testing

@testable import autoharp_screen

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
    let plain = try parseCommandLine(["--png", "x.png", "--state", "playing"])
    #expect(plain == .picture(PreviewOptions(), path: "x.png"))
    let words = [
      "--png=x.png", "--state", "paused", "--size=480x320", "--diagonal", "3.5", "--day",
      "--language", "ar", "--text-scale=1.2",
    ]
    let expected = PreviewOptions(
      state: "paused", size: PixelSize(width: 480, height: 320), diagonal: 3.5, appearance: .day,
      language: "ar", textScale: 1.2)
    #expect(try parseCommandLine(words) == .picture(expected, path: "x.png"))
    #expect(try parseCommandLine(["--scene", "--night"]) == .sceneText(PreviewOptions()))
    #expect(try parseCommandLine(["--sheet", "a"]) == .sheet(path: "a"))
    #expect(try parseCommandLine(["--overview", "a"]) == .overview(path: "a"))
    #expect(try parseCommandLine(["--bench"]) == .bench)
    #expect(try parseCommandLine([]) == .run(RunOptions()))
    #expect(try parseCommandLine(["--terminal"]) == .run(RunOptions(isTerminal: true)))
    #expect(
      try parseCommandLine(["--socket=/a", "--config", "b", "--scripted", "800x480"])
        == .run(
          RunOptions(
            socket: "/a", configurationFiles: ["b"], scripted: PixelSize(width: 800, height: 480))
        ))
    #expect(
      try parseCommandLine(["--png", "x", "--socket=/a", "--day"])
        == .livePicture(RunOptions(socket: "/a"), PreviewOptions(appearance: .day), path: "x"))
    #expect(
      try parseCommandLine(["--png", "x", "--state", "./paused"])
        == .savedPicture(PreviewOptions(state: "./paused"), path: "x"))
    #expect(
      try parseCommandLine(["--save-state", "x"]) == .saveState(RunOptions(), path: "x"))
    #expect(try parseCommandLine(["--day", "--help", "--nonsense"]) == .help)
  }

  @Test func invalidCommandLine_isRefused() {
    #expect(message("--state", "x")?.contains("'x'") == true)
    #expect(message("--png")?.contains("--png") == true)
    #expect(message("--png", "--day")?.contains("--png") == true)
    #expect(message("--png=")?.contains("--png") == true)
    #expect(message("--frob")?.contains("'--frob'") == true)
    #expect(message("a\u{1B}[2J")?.contains("'a?[2J'") == true)
    #expect(message("--day")?.contains("--png") == true)
    #expect(message("--scene", "--state=a.b")?.contains("--png") == true)
    for size in ["800", "x480", "800x", "800x480x2", "1x1", "99999x99999", "-800x480"] {
      #expect(message("--png", "x", "--size=\(size)")?.contains("'\(size)'") == true, "\(size)")
    }
    for number in ["0", "nan", "inf", "1e9", "x"] {
      #expect(message("--png", "x", "--diagonal=\(number)") != nil, "\(number)")
      #expect(message("--png", "x", "--text-scale=\(number)") != nil, "\(number)")
    }
  }

  @Test func help_namesEveryOption() {
    for option in [
      "--png", "--scene", "--sheet", "--overview", "--list-states", "--bench", "--state", "--size",
      "--diagonal", "--night", "--day", "--language", "--text-scale", "--help", "--socket",
      "--config", "--save-state", "--scripted",
    ] {
      #expect(helpText.contains(option))
    }
    #expect(helpText.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
