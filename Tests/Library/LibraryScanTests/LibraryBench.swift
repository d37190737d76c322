import Files
import Foundation
import LibraryDatabase
import LibraryModel
import NameKeys
import SQLite
import TestKit

@testable import LibraryScan

/// A folder with real music files, and a real database for the library of this folder.
final class LibraryBench {
  let folder: TemporaryFolder
  let template: TaggedFLAC
  private(set) var writer: LibraryWriter
  private(set) var reader: LibraryReader
  private var sound: UInt32 = 0

  init(articles: Articles = Articles(languages: ["en"])) throws {
    folder = try TemporaryFolder()
    template = try TaggedFLAC(folder)
    for name in ["music", "library"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    let opened = try LibraryFile.open(in: folder.path("library"), key: "test")
    writer = try LibraryWriter(opened.database, articles: articles)
    reader = LibraryReader(try LibraryFile.reader(in: folder.path("library")))
  }

  /// The path of a music file.
  func path(_ name: String) -> String { folder.path("music/" + name) }

  /// Writes songs of one album with these titles, and scans the folder.
  func scanSongs(_ titles: [String]) throws {
    for (number, title) in titles.enumerated() {
      try add("\(number).flac", "TITLE=\(title)", "ARTIST=A", "ALBUM=B")
    }
    try scan()
  }

  /// Writes a music file with these tags.
  @discardableResult
  func add(_ name: String, _ tags: String..., sound: UInt32? = nil) throws -> String {
    try add(name, tags, sound: sound)
  }

  @discardableResult
  func add(_ name: String, _ tags: [String], sound: UInt32? = nil) throws -> String {
    self.sound += 1
    let parent = (path(name) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try folder.write("music/" + name, template.file(tags, sound: sound ?? self.sound))
    return name
  }

  /// Writes the files of an album with this number of tracks.
  func addAlbum(_ title: String, by artist: String, tracks: Int = 2, _ further: String...) throws {
    for number in 1...tracks {
      try add(
        "\(artist)/\(title)/\(number).flac",
        ["TITLE=\(title) \(number)", "ARTIST=\(artist)", "ALBUM=\(title)", "TRACKNUMBER=\(number)"]
          + further)
    }
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  func move(_ name: String, to new: String) throws {
    try FileManager.default.moveItem(atPath: path(name), toPath: path(new))
  }

  var volume: LibraryVolume {
    LibraryVolume(
      identity: "test 1", label: "MUSIC", path: FileName.bytes(folder.path("music")))
  }

  @discardableResult
  func scan(
    limits: VolumeScan.Limits = .init(), storesLocalTime: Bool = false,
    report: @escaping (VolumeScan.Progress) -> Bool = { _ in true }
  ) throws -> VolumeScan.Result {
    var volume = volume
    volume.storesLocalTime = storesLocalTime
    return try VolumeScan(volume, into: writer, limits: limits, report: report).run()
  }

  /// The titles of all rows of a list.
  func titles(_ node: LibraryNode) throws -> [String] { try rows(node).map(\.title) }

  func rows(_ node: LibraryNode, limit: Int = 12) throws -> [LibraryRow] {
    var rows: [LibraryRow] = []
    var cursor: String?
    repeat {
      let batch = try reader.batch(node, cursor: cursor, limit: limit)
      rows += batch.rows
      cursor = batch.next
    } while cursor != nil
    return rows
  }

  /// The id of the row with this title. -1 if there is no such row.
  func id(_ title: String, in node: LibraryNode) throws -> Int64 {
    try rows(node).first { $0.title == title }?.id ?? -1
  }

  func find(_ text: String) throws -> [String] {
    guard let query = SearchQuery(text: text) else { return [] }
    return try reader.find(query).rows.map { "\($0.kind.rawValue) \($0.title)" }
  }
}
