import Foundation
import NowPlaying
import ScreenLayout
import ScreenSamples
import Testing

/// Scenes as text. After a wanted change of the layout run the tests once with
/// AUTOHARP_RENEW_GOLDENS=1, look at the difference, and commit it.
@Suite struct SceneGoldenTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Goldens")
  private static let renews =
    ProcessInfo.processInfo.environment["AUTOHARP_RENEW_GOLDENS"] == "1"

  private func compare(_ text: String, _ name: String) throws {
    let file = Self.folder.appending(path: "\(name).txt")
    if Self.renews {
      try text.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let golden = try String(contentsOf: file, encoding: .utf8)
    #expect(
      text == golden, "\(name): after a wanted change run with AUTOHARP_RENEW_GOLDENS=1")
  }

  @Test(arguments: SampleScene.all.map(\.name))
  func everyState_onItsScreen(_ name: String) throws {
    let sample = try #require(SampleScene.named(name))
    try compare(SceneText.dump(sample.scene()), name)
  }

  private static let selected = [
    "playing", "paused", "interrupted", "live", "long-title", "notice", "volume", "nothing",
    "pairing", "up-next-driving", "daemon-away", "no-buttons",
  ]

  @Test(arguments: Screen.all.filter { $0.description != "800x480" })
  func states_onOtherScreens(_ screen: Screen) throws {
    let text = try Self.selected.map { name in
      "# \(name)\n" + SceneText.dump(try #require(SampleScene.named(name)).scene(screen))
    }
    try compare(text.joined(separator: "\n"), screen.description)
  }

  @Test func states_mirrored() throws {
    let text = try Self.selected.map { name in
      "# \(name)\n" + SceneText.dump(try #require(SampleScene.named(name)).scene(language: "ar"))
    }
    try compare(text.joined(separator: "\n"), "mirrored")
  }
}
