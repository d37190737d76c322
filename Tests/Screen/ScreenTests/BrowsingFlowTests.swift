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

/// A driver chooses music with a finger or with a knob: the real daemon, the real library, and a screen on
/// a display in memory.
@Suite(.serialized) struct BrowsingFlowTests {
  /// Albums of 3 songs of a second: 20 artists, one of whom has two albums.
  private static func served() throws -> Served {
    let place = try TemporaryFolder()
    var files: [String: [UInt8]] = [:]
    for artist in 0..<20 {
      let letter = String(UnicodeScalar(UInt8(65 + artist)))
      for album in 1...(letter == "L" ? 2 : 1) {
        for track in 1...3 {
          try GeneratedMusic(channels: 1, rate: 8000, frames: 8000).flac(
            place, "song.flac",
            [
              "--tag=ARTIST=\(letter)rtist", "--tag=ALBUM=\(letter) album \(album)",
              "--tag=TITLE=\(letter) song \(album).\(track)", "--tag=TRACKNUMBER=\(track)",
            ])
          files["\(letter)\(album)-\(track).flac"] = Array(
            try Data(contentsOf: URL(fileURLWithPath: place.path("song.flac"))))
        }
      }
    }
    return try Served(files: files, hasLibrary: true)
  }

  private func show(_ served: Served) throws -> Shown {
    let shown = try Shown(served)
    try shown.turn { shown.unit.client.library?.songs == 66 }
    return shown
  }

  private func title(_ shown: Shown) -> String? {
    guard case .text(let run)? = shown.unit.scene?["page.title"]?.content else { return nil }
    return run.text
  }

  /// The identity of the part that shows this text.
  private func part(_ shown: Shown, _ text: String) -> ElementID? {
    let element = shown.unit.scene?.elements.first { element in
      if case .text(let run) = element.content { run.text == text } else { false }
    }
    guard let element else { return nil }
    let name = element.id.rawValue
    return ElementID(String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)]))
  }

  /// Taps the part that shows this text, when it is shown.
  private func tap(_ shown: Shown, _ text: String) throws {
    try shown.turn { part(shown, text) != nil }
    try shown.tap(try #require(part(shown, text)))
  }

  @Test func fingerAlone_choosesAnAlbumWithSixTaps_findsTheWayBack_andSearches() throws {
    let served = try Self.served()
    let shown = try show(served)
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
      try tap(shown, text)
      taps += 1
    }
    try shown.turn { title(shown) == "L album 2" }
    try shown.tap("play")
    taps += 1
    #expect(taps <= 6)
    try shown.turn { shown.state?.lines.title == "L song 2.1" && shown.state?.status == .playing }
    // The answer to the press is Now Playing.
    #expect(!shown.unit.model.pages.isBrowsing)
    // The line of the artist leads back to the artist.
    try shown.tap("artist")
    try shown.turn { title(shown) == "Lrtist" && part(shown, "L album 1") != nil }
    try shown.tap("corner")
    try shown.turn { !shown.unit.model.pages.isBrowsing }
  }

  private func goBackLevelByLevel(_ shown: Shown) throws {
    try shown.tap("browse")
    try tap(shown, "Albums")
    try tap(shown, "B")
    try tap(shown, "B album 1")
    try shown.turn { title(shown) == "B album 1" }
    try shown.tap("back")
    try shown.turn { title(shown) == "Albums" && shown.unit.scene?["cover.0"] == nil }
    try shown.tap("back")
    try shown.turn { shown.unit.scene?["letter.1.label"] != nil }
    try shown.tap("corner")
    try shown.turn { !shown.unit.model.pages.isBrowsing }
  }

  private func search(_ shown: Shown) throws {
    try shown.tap("browse")
    try shown.tap("key")
    // "T" is on the key 8, "s" on the key 7.
    for key in ["key.8", "key.space", "key.7"] { try shown.tap(ElementID(key)) }
    try tap(shown, "T song 1.1")
    try shown.turn { shown.state?.lines.title == "T song 1.1" }
  }

  @Test func knobAlone_reachesASong() throws {
    let served = try Self.served()
    let shown = try show(served)
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
    try shown.turn { part(shown, "C song 1.2") != nil }
    try focus("row.1")
    shown.display.onFocus?(.activate)
    try shown.turn { shown.state?.lines.title == "C song 1.2" }
  }
}
