import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import ScreenDisplay
import ScreenLayout
import TestKit
import Testing

@testable import Screen

/// Tests how a driver chooses music with a finger or with a knob. The daemon and the library are real, and the display
/// of the screen is in memory.
@Suite(.serialized) struct MenuFlowTests {
  @Test func fingerAlone_choosesAnAlbumWithSixTaps_findsTheWayBack_andSearches() throws {
    let served = try Served.withCollection()
    let shown = try Shown(collectionOf: served)
    try chooseAlbumByItsArtist(shown)
    try goBackLevelByLevel(shown)
    try search(shown)
  }

  private func chooseAlbumByItsArtist(_ shown: Shown) throws {
    var taps = 0
    for text in ["Artists", "L", "Lrtist", "L album 2"] {
      if taps == 0 {
        try shown.tap("browse")
        taps += 1
      }
      try shown.tap(text: text)
      taps += 1
    }
    try shown.turn { shown.title == "L album 2" }
    try shown.tap("play")
    taps += 1
    #expect(taps <= 6)
    try shown.turn { shown.state?.lines.title == "L song 2.1" && shown.state?.status == .playing }
    // The tap on *Play* has closed the menu, so Now Playing is shown.
    #expect(!shown.unit.model.pages.isMenuOpen)
    // A tap on the line with the artist opens the page of the artist.
    try shown.tap("artist")
    try shown.turn { shown.title == "Lrtist" && shown.part("L album 1") != nil }
    try shown.tap("corner")
    try shown.turn { !shown.unit.model.pages.isMenuOpen }
  }

  private func goBackLevelByLevel(_ shown: Shown) throws {
    try shown.tap("browse")
    try shown.tap(text: "Albums")
    try shown.tap(text: "B")
    try shown.tap(text: "B album 1")
    try shown.turn { shown.title == "B album 1" }
    try shown.tap("back")
    try shown.turn { shown.title == "Albums" && shown.unit.scene?["cover.0"] == nil }
    try shown.tap("back")
    try shown.turn { shown.unit.scene?["letter.1.label"] != nil }
    try shown.tap("corner")
    try shown.turn { !shown.unit.model.pages.isMenuOpen }
  }

  private func search(_ shown: Shown) throws {
    try shown.tap("browse")
    try shown.tap("key")
    // "T" is on the key 8, "s" on the key 7.
    for key in ["key.8", "key.space", "key.7"] { try shown.tap(ElementID(key)) }
    try shown.tap(text: "T song 1.1")
    try shown.turn { shown.state?.lines.title == "T song 1.1" }
  }

  @Test func knobAlone_reachesASong() throws {
    let served = try Served.withCollection()
    let shown = try Shown(collectionOf: served)
    func focus(_ id: ElementID, _ step: FocusEvent = .next) throws {
      for _ in 0..<60 where shown.unit.model.interaction.focus != id {
        shown.display.onFocus?(step)
        try shown.loop.step(timeout: .zero)
      }
      #expect(shown.unit.model.interaction.focus == id)
    }
    try shown.turn { shown.unit.scene?["browse"] != nil }
    try focus("browse", .previous)
    shown.display.onFocus?(.activate)
    try shown.turn { shown.unit.scene?["tile.songs"] != nil }
    try focus("tile.songs")
    shown.display.onFocus?(.activate)
    try shown.turn { shown.unit.scene?["letter.0"] != nil }
    try focus("letter.2")
    shown.display.onFocus?(.activate)
    try shown.turn { shown.part("C song 1.2") != nil }
    try focus("row.1")
    shown.display.onFocus?(.activate)
    try shown.turn { shown.state?.lines.title == "C song 1.2" }
  }
}
