import Control
import Foundation
import LibraryModel
import ScreenLayout
import TestKit
import Testing

@testable import Screen

extension Served {
  /// Starts a unit with a library of 20 artists. The artist *Lrtist* has two albums, and each other artist has one
  /// album. An album has 3 songs.
  static func withCollection(seconds: Int = 1) throws -> Served {
    let folder = try TemporaryFolder()
    var files: [String: [UInt8]] = [:]
    for artist in 0..<20 {
      let letter = String(UnicodeScalar(UInt8(65 + artist)))
      for album in 1...(letter == "L" ? 2 : 1) {
        for track in 1...3 {
          try GeneratedMusic(channels: 1, rate: 8000, frames: 8000 * seconds).flac(
            folder, "song.flac",
            [
              "--tag=ARTIST=\(letter)rtist", "--tag=ALBUM=\(letter) album \(album)",
              "--tag=TITLE=\(letter) song \(album).\(track)", "--tag=TRACKNUMBER=\(track)",
              "--tag=GENRE=\(artist % 2 == 0 ? "Even" : "Odd")",
            ])
          files["\(letter)\(album)-\(track).flac"] = Array(
            try Data(contentsOf: URL(fileURLWithPath: folder.path("song.flac"))))
        }
      }
    }
    return try Served(files: files, hasLibrary: true)
  }
}

extension Shown {
  /// Creates a screen, and waits until the library has read all songs.
  convenience init(collectionOf served: Served) throws {
    try self.init(served)
    try turn { unit.client.library?.songs == 66 && unit.model.settings != nil }
  }

  /// The title of the page.
  var title: String? { text("page.title") }

  func text(_ id: ElementID) -> String? {
    guard case .text(let run)? = unit.scene?[id]?.content else { return nil }
    return run.text
  }

  /// The identity of the row or button that shows this text: for the text of `row.2.title`, this is `row.2`.
  func part(_ text: String) -> ElementID? {
    let element = unit.scene?.elements.first { element in
      if case .text(let run) = element.content { run.text == text } else { false }
    }
    guard let element else { return nil }
    let name = element.id.rawValue
    return ElementID(String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)]))
  }

  /// Waits until a row or button shows this text, and taps this row or button.
  func tap(text: String, _ sourceLocation: SourceLocation = #_sourceLocation) throws {
    try turn(until: { part(text) != nil }, sourceLocation)
    try tap(try #require(part(text)), sourceLocation)
  }
}
