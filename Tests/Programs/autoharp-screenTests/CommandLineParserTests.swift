import ScreenLayout
import ScreenOptions
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
    let size = PixelSize(width: 800, height: 480)
    #expect(try parseCommandLine([]) == .run(RunOptions()))
    #expect(try parseCommandLine(["--terminal"]) == .run(RunOptions(display: .terminal)))
    #expect(
      try parseCommandLine(["--window=800x480"]) == .run(RunOptions(display: .window(size))))
    #expect(
      try parseCommandLine(["--socket=/a", "--config", "b", "--scripted", "800x480"])
        == .run(
          RunOptions(socket: "/a", configurationFiles: ["b"], display: .scripted(size))))
    var picture = PictureOptions()
    picture.size = PixelSize(width: 480, height: 320)
    picture.diagonal = 3.5
    picture.language = "ar"
    picture.textScale = 1.2
    let words = [
      "--png", "x", "--socket=/a", "--size=480x320", "--diagonal", "3.5", "--language", "ar",
      "--text-scale=1.2",
    ]
    #expect(
      try parseCommandLine(words) == .picture(RunOptions(socket: "/a"), picture, path: "x"))
    #expect(
      try parseCommandLine(["--save-state", "x"]) == .saveState(RunOptions(), path: "x"))
    #expect(try parseCommandLine(["--png", "x", "--help", "--nonsense"]) == .help)
  }

  @Test func invalidCommandLine_isRefused() {
    #expect(message("--png")?.contains("--png") == true)
    #expect(message("--png", "--config")?.contains("--png") == true)
    #expect(message("--png=")?.contains("--png") == true)
    #expect(message("--frob")?.contains("'--frob'") == true)
    #expect(message("a\u{1B}[2J")?.contains("'a?[2J'") == true)
    #expect(message("--language", "de")?.contains("--png") == true)
    for size in ["800", "x480", "800x", "800x480x2", "1x1", "99999x99999", "-800x480"] {
      #expect(message("--png", "x", "--size=\(size)")?.contains("'\(size)'") == true, "\(size)")
    }
    for number in ["0", "nan", "inf", "1e9", "x"] {
      #expect(message("--png", "x", "--diagonal=\(number)") != nil, "\(number)")
      #expect(message("--png", "x", "--text-scale=\(number)") != nil, "\(number)")
    }
  }

  @Test(arguments: [
    "--state", "--scene", "--sheet", "--overview", "--list-states", "--bench", "--day", "--night",
  ])
  func optionForDevelopers_namesTheProgramThatHasIt(_ option: String) {
    #expect(message("--png", "x", option, "a")?.contains("autoharp-screen-preview") == true)
  }

  @Test func help_namesEveryOption() {
    for option in [
      "--png", "--size", "--diagonal", "--language", "--text-scale", "--help", "--socket",
      "--config", "--save-state", "--scripted", "--window", "--terminal",
    ] {
      #expect(helpText.contains(option))
    }
    #expect(helpText.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
