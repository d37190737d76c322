import CTurboJPEG
import EventLoop
import Foundation
import LibraryDatabase
import LibraryModel
import LibraryScan
import NameKeys
import PictureProgram
import TestKit
import Testing
import Threads

@testable import LibraryCovers

/// Folders as volumes, scanned into a real database. The real decoder makes the thumbnails.
final class CoverBench {
  let folder: TemporaryFolder
  let template: TaggedFLAC
  let writer: LibraryWriter
  var maximumBytes = 16 << 20
  var process = PictureProcess()
  /// Called before each access to a medium. The parameter is the number of this call. The result false stops the pass.
  var continues: (Int) -> Bool = { _ in true }
  var interrupts: () -> Bool = { false }
  let wake = WakeUp()
  private(set) var asked = 0
  /// The names of the files that the last pass has read.
  private(set) var read: [String] = []
  private(set) var commits = 0
  private var sound: UInt32 = 0

  init() throws {
    folder = try TemporaryFolder()
    template = try TaggedFLAC(folder)
    try FileManager.default.createDirectory(
      atPath: folder.path("library"), withIntermediateDirectories: true)
    let articles = Articles(languages: ["en"])
    let opened = try LibraryFile.open(in: folder.path("library"), key: articles.key)
    writer = try LibraryWriter(opened.database, articles: articles)
  }

  /// A PNG. Two PNGs with different numbers differ.
  static func png(_ number: Int, _ width: Int = 200, _ height: Int = 200) -> [UInt8] {
    GeneratedPNG(width, height) { x, _ in
      [UInt8(number & 255), UInt8(number >> 8 & 255), x < width / 2 ? 0 : 255, 255]
    }.bytes
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let parent = (folder.path(name) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try folder.write(name, bytes)
  }

  /// Adds a song: `a/Moon/1.flac` is a song of the album `Moon` in the volume `a`.
  func song(_ name: String, album: String? = nil, picture: [UInt8]? = nil) throws {
    sound += 1
    let album = album ?? String(name.split(separator: "/").dropLast().last ?? "")
    let tags = [
      "TITLE=\(name)", "ALBUM=\(album)", "ARTIST=Air", "TRACKNUMBER=\(sound)",
    ]
    try write(name, template.file(tags, sound: sound, picture: picture))
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: folder.path(name))
  }

  func path(_ volume: String) -> [UInt8] { Array(folder.path(volume).utf8) }

  func scan(_ volume: String) throws {
    let volume = LibraryVolume(identity: "id \(volume)", label: volume, path: path(volume))
    #expect(try VolumeScan(volume, into: writer).run().ending == .complete)
  }

  /// Makes the thumbnails of a scanned volume.
  @discardableResult
  func makeCovers(
    _ volume: String = "a", present: Set<String>? = nil
  ) throws -> CoverPass.Outcome {
    let covers = try CoverWriter(in: folder.path("library"), maximumBytes: maximumBytes)
    return try pass(volume, present: present, covers).run()
  }

  private func pass(
    _ volume: String, present: Set<String>?, _ covers: CoverWriter
  ) throws -> CoverPass {
    (read, commits, asked) = ([], 0, 0)
    let reader = LibraryReader(try LibraryFile.reader(in: folder.path("library")))
    return CoverPass(
      "id \(volume)", path: path(volume), present: present ?? ["id \(volume)"], reader: reader,
      writer: covers, process: process,
      pace: CoverPace(
        mayRead: { [unowned self] file in
          read.append(String(decoding: file.path.dropFirst(), as: UTF8.self))
          return true
        },
        continues: { [unowned self] in
          asked += 1
          return continues(asked)
        },
        interruption: ChildProgram.Interruption(wake) { [unowned self] in interrupts() },
        committed: { [unowned self] in commits += 1 }))
  }

  /// Scans a volume and makes its thumbnails.
  @discardableResult
  func run(_ volume: String = "a", present: Set<String>? = nil) throws -> CoverPass.Outcome {
    try scan(volume)
    return try makeCovers(volume, present: present)
  }

  // MARK: Results

  var albums: [String: Int64] {
    get throws {
      let reader = LibraryReader(try LibraryFile.reader(in: folder.path("library")))
      let rows = try reader.batch(.albums, limit: 100).rows
      return Dictionary(rows.map { ($0.title, $0.id) }, uniquingKeysWith: { first, _ in first })
    }
  }

  func thumbnail(_ album: String) throws -> [UInt8] {
    let id = try #require(try albums[album])
    return try CoverReader(in: folder.path("library")).thumbnail(ofAlbum: id)
  }

  func picture(_ album: String) throws -> Int64? {
    let id = try #require(try albums[album])
    return try CoverReader(in: folder.path("library")).picture(ofAlbum: id)
  }

  /// Size of the database of the thumbnails and its journal, in bytes.
  var bytes: Int {
    ["covers.db", "covers.db-wal"].reduce(0) { sum, name in
      let path = folder.path("library/" + name)
      let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      return sum + (size ?? 0)
    }
  }

  /// A JPEG with coarse shapes and fine noise, about as large as a real cover.
  static func jpeg(_ number: Int, side: Int = 500) throws -> [UInt8] {
    let encoder = try #require(tjInitCompress())
    defer { tjDestroy(encoder) }
    var state = UInt32(truncatingIfNeeded: number &* 2_654_435_761 | 1)
    var pixels = [UInt8](repeating: 0, count: side * side * 3)
    for y in 0..<side {
      for x in 0..<side {
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        let wave = ((x * (number % 7 + 1)) / 40 ^ (y * (number % 5 + 1)) / 40) & 7
        for colour in 0..<3 {
          let noise = Int(state >> UInt32(colour * 8) & 15)
          let value = wave * (20 + colour * 6) + noise + x * 40 / side
          pixels[(y * side + x) * 3 + colour] = UInt8(min(255, value))
        }
      }
    }
    var buffer: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { tjFree(buffer) }
    let status = tjCompress2(
      encoder, pixels, Int32(side), Int32(side * 3), Int32(side), Int32(TJPF_RGB.rawValue),
      &buffer, &size, Int32(TJSAMP_420.rawValue), 85, 0)
    try #require(status == 0)
    return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }
}
