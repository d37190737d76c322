import Control
import Foundation
import LibraryModel
import NowPlaying
import Reports
import ScreenDisplay
import ScreenLayout
import TestKit
import Testing

@testable import Screen

/// Tests the daily use by a driver with one finger. The daemon and the library are real, and the display of the screen
/// is in memory.
@Suite(.serialized) struct DailyFlowTests {
  @Test func queue_isEditedWithOneFinger_andTheRemovalIsUndone() throws {
    let served = try Served.withCollection(seconds: 60)
    let shown = try Shown(collectionOf: served)
    try playAlbum("C", shown)
    try shown.tap("upNext")
    try shown.turn { shown.text("row.2.title") == "C song 1.3" && shown.has("row.2.key") }
    #expect(shown.text("list.line")?.hasPrefix("C album 1 · 1 / ") == true)

    try shown.tap("row.2.key")
    try shown.tap("row.2.playNext")
    try shown.turn {
      shown.text("row.1.title") == "C song 1.3" && shown.text("row.2.title") == "C song 1.2"
    }
    try shown.tap("row.1.key")
    try shown.tap("row.1.remove")
    try shown.turn { shown.text("row.1.title") == "C song 1.2" }
    try shown.tap("notice")
    try shown.turn { shown.text("row.1.title") == "C song 1.3" }
    #expect(shown.unit.scene?["notice"] == nil)

    // A tap on a row plays the song of this row, and the list stays open.
    try shown.tap("row.1")
    try shown.turn { shown.state?.lines.title == "C song 1.3" && shown.has("row.0.bars") }
    try shown.tap("upNext")
    try shown.turn { shown.text("title") == "C song 1.3" }
  }

  @Test func aWrongList_isUndoneWithOneTouch() throws {
    let served = try Served.withCollection(seconds: 60)
    let shown = try Shown(collectionOf: served)
    try playAlbum("C", shown)
    #expect(shown.unit.scene?["notice"] == nil, "the queue before was neither chosen nor heard")
    try shown.tap("transport.forward")
    try shown.turn { shown.state?.lines.title == "C song 1.2" }
    try playAlbum("D", shown)
    try shown.turn { shown.text("notice.text")?.hasSuffix("D album 1") == true }
    try shown.tap("notice")
    try shown.turn {
      shown.state?.lines.title == "C song 1.2" && shown.state?.status == .playing
    }
    #expect(shown.unit.scene?["notice"] == nil)
  }

  @Test func listThatWasLeft_continues_andASourcePlays() throws {
    let served = try Served.withCollection(seconds: 60)
    let shown = try Shown(collectionOf: served)
    try playAlbum("C", shown)
    try shown.tap("transport.central")
    try shown.turn { shown.state?.status == .paused }
    try playAlbum("D", shown)
    // Two taps continue the list that was left: the first on the corner, and the second on the cover of the list.
    try shown.tap("browse")
    try shown.turn { shown.part("C album 1") != nil }
    let cover = try #require(shown.part("C album 1"))
    #expect(shown.has(ElementID("\(cover).heard")))
    try shown.tap(cover)
    try shown.turn { shown.state?.lines.detail == "C album 1" }

    // Three taps play another source: the corner, the tab of the sources, and the row of the source.
    try shown.tap("browse")
    try shown.tap("tab.sources")
    try shown.turn { shown.text("row.0.subtitle") == "Plays · 66 songs" }
    try shown.tap("row.0.key")
    try shown.turn { shown.has("control.play") && shown.has("control.read") }
    try shown.tap("control.read")
    try shown.tap("back")
    try shown.turn { shown.title == nil && shown.has("row.0.title") }
    try shown.tap("row.0")
    try shown.turn { !shown.unit.model.pages.isMenuOpen && shown.state?.status == .playing }
  }

  @Test func genre_folder_andSong_playFromTheirLists() throws {
    let served = try Served.withCollection(seconds: 60)
    let shown = try Shown(collectionOf: served)
    try shown.tap("browse")
    try shown.tap(text: "Genres")
    try shown.tap(text: "Odd")
    try shown.turn { shown.title == "Odd" }
    try shown.tap("shuffle")
    try shown.turn { shown.state?.status == .playing }
    #expect(shown.state?.lines.subtitle.map { "BDFHJLNPRT".contains($0.prefix(1)) } == true)

    try shown.tap("browse")
    try shown.tap(text: "Songs")
    try shown.tap(text: "G")
    try shown.tap(text: "G song 1.2")
    try shown.turn { shown.state?.lines.title == "G song 1.2" }

    try shown.tap("browse")
    try shown.tap(text: "Folders")
    try shown.turn { shown.title == "Folders" && shown.has("row.0.title") }
    try shown.tap("row.0")
    try shown.turn { shown.has("letter.0") || shown.has("row.1.title") }
  }

  @Test func settings_areChangedAndKept_andTheChecksRun() throws {
    let served = try Served.withCollection(seconds: 60)
    let shown = try Shown(collectionOf: served)
    try shown.tap("browse")
    try shown.tap("tab.settings")
    try shown.tap(text: "Sound")
    try shown.turn { shown.title == "Sound" }
    try shown.tap("control.replay-gain.off")
    try shown.turn { shown.unit.model.settings?.setting("replay-gain")?.value == "off" }
    try shown.tap("control.start-volume-maximum.more")
    try shown.turn {
      shown.unit.model.settings?.setting("start-volume-maximum")?.source == .driver
    }
    let file = served.folder.path("data/settings.conf")
    try shown.turn {
      (try? String(contentsOfFile: file, encoding: .utf8))?.contains("replay-gain = off") == true
    }
    try shown.tap("back")
    try shown.tap(text: "About")
    try shown.turn { shown.unit.model.report.findings != nil }
    #expect(shown.text("page.line")?.hasPrefix("Autoharp ") == true)
    try shown.tap("control.checks")
    try shown.turn { shown.title == "All checks" && shown.has("row.0.title") }
    try shown.tap("back")
    try shown.turn { shown.title == "About" }
    try shown.tap("back")
    try shown.turn { shown.title == nil }
    try shown.tap("corner")
    try shown.turn { !shown.unit.model.pages.isMenuOpen }
  }

  private func playAlbum(_ letter: String, _ shown: Shown) throws {
    try shown.tap("browse")
    try shown.tap(text: "Albums")
    try shown.tap(text: letter)
    try shown.tap(text: "\(letter) album 1")
    try shown.turn { shown.title == "\(letter) album 1" }
    try shown.tap("play")
    try shown.turn {
      shown.state?.lines.title == "\(letter) song 1.1" && !shown.unit.model.pages.isMenuOpen
    }
  }
}

extension Shown {
  /// True if the picture contains this element.
  func has(_ id: ElementID) -> Bool { unit.scene?[id] != nil }
}
