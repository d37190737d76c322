import Foundation
import NowPlaying
import ScreenLayout
import ScreenSamples
import TestKit
import Testing

/// Compares scenes, written as text, with golden files.
@Suite struct SceneGoldenTests {
  private func compare(_ text: String, _ name: String) throws {
    try Golden.check(text, Golden.file("\(name).txt"))
  }

  @Test(arguments: SampleScene.all.map(\.name))
  func everyState_onItsScreen_matchesItsGoldenFile(_ name: String) throws {
    let sample = try #require(SampleScene.named(name))
    try compare(SceneText.dump(sample.scene()), name)
  }

  private static let selected = [
    "playing", "paused", "interrupted", "live", "long-title", "notice", "volume", "nothing",
    "pairing", "up-next-edit", "daemon-away", "no-buttons",
  ]

  @Test(arguments: Screen.all.filter { $0.description != "800x480" })
  func states_onOtherScreens_matchTheirGoldenFile(_ screen: Screen) throws {
    let text = try Self.selected.map { name in
      "# \(name)\n" + SceneText.dump(try #require(SampleScene.named(name)).scene(screen))
    }
    try compare(text.joined(separator: "\n"), screen.description)
  }

  @Test func states_mirrored_matchTheGoldenFile() throws {
    let text = try Self.selected.map { name in
      "# \(name)\n" + SceneText.dump(try #require(SampleScene.named(name)).scene(language: "ar"))
    }
    try compare(text.joined(separator: "\n"), "mirrored")
  }

  private static let languages: [LanguageTag] = ["en", "ar", "ja"]

  /// All pages of the menu and all lists. Each golden file contains them for one screen and one language.
  @Test(arguments: [Screen.usual, .small, .portrait, .wide], languages)
  func pages_inEachScript_matchTheirGoldenFile(_ screen: Screen, _ language: LanguageTag) throws {
    let pages = SampleScene.all.filter {
      switch $0.context.page {
      case .menu, .list: true
      case .nowPlaying, .buttons: false
      }
    }
    let text = pages.map {
      "# \($0.name)\n" + SceneText.dump($0.scene(screen, language: language))
    }
    try compare(text.joined(separator: "\n"), "pages-\(language)-\(screen)")
  }
}
