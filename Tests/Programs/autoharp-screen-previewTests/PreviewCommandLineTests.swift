import ScreenLayout
import ScreenOptions
import Testing

@testable import autoharp_screen_preview

@Suite struct PreviewCommandLineTests {
  private func message(_ words: String...) -> String? {
    do {
      _ = try parseCommandLine(words)
      return nil
    } catch {
      return error.message
    }
  }

  @Test func validCommandLine_isParsed() throws {
    let plain = try parseCommandLine(["--png", "x.png"])
    #expect(plain == .picture(PreviewOptions(), path: "x.png"))
    let words = [
      "--png=x.png", "--state", "paused", "--size=480x320", "--diagonal", "3.5", "--day",
      "--language", "ar", "--text-scale=1.2",
    ]
    var expected = PreviewOptions(state: "paused", appearance: .day)
    expected.picture.size = PixelSize(width: 480, height: 320)
    expected.picture.diagonal = 3.5
    expected.picture.language = "ar"
    expected.picture.textScale = 1.2
    #expect(try parseCommandLine(words) == .picture(expected, path: "x.png"))
    #expect(
      try parseCommandLine(["--scene", "--night", "--state", "./paused"])
        == .sceneText(PreviewOptions(state: "./paused")))
    #expect(try parseCommandLine(["--sheet", "a"]) == .sheet(path: "a"))
    #expect(try parseCommandLine(["--overview", "a"]) == .overview(path: "a"))
    #expect(try parseCommandLine(["--bench"]) == .bench)
    #expect(try parseCommandLine(["--list-states", "--nonsense"]) == .listStates)
    #expect(try parseCommandLine(["--day", "--help", "--nonsense"]) == .help)
  }

  @Test func invalidCommandLine_isRefused() {
    #expect(message("--state", "x")?.contains("'x'") == true)
    #expect(message("--frob")?.contains("'--frob'") == true)
    #expect(message()?.contains("--png") == true)
    #expect(message("--day")?.contains("--png") == true)
  }

  @Test func savedStateThatCannotBeRead_saysWhy() {
    #expect {
      _ = try Preview(PreviewOptions(state: "/nowhere/unit.state"))
    } throws: {
      "\($0)" == "/nowhere/unit.state: the file cannot be read"
    }
  }

  @Test func help_namesEveryOption() {
    for option in [
      "--png", "--scene", "--sheet", "--overview", "--list-states", "--bench", "--state", "--size",
      "--diagonal", "--night", "--day", "--language", "--text-scale", "--help",
    ] {
      #expect(helpText.contains(option))
    }
    #expect(helpText.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
