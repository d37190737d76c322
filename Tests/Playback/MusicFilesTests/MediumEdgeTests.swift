import AudioCodecs
import FileReading
import Files
import Foundation
import Glibc
import TestKit
import Testing

@testable import MusicFiles

/// Tests what a scan of a medium does with symbolic links.
@Suite(.enabled(if: MemoryFileSystem.obstacle == nil)) struct MediumEdgeTests {
  private let folder: TemporaryFolder
  private let medium: MemoryFileSystem
  private let root: String
  private let song: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    root = folder.path("stick")
    medium = try MemoryFileSystem(at: root)
    song = try TaggedFLAC(folder).file([], sound: 1)
    try folder.write("outside.flac", song)
    for name in ["stick/album/1.flac", "stick/.store/2.flac"] { try write(name) }
  }

  private func write(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: (folder.path(name) as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true)
    try folder.write(name, song)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(root)/\(name)", withDestinationPath: target)
  }

  /// Scans, and returns the paths of the music, the paths of the links that are not followed, and the number of other
  /// unplayable files. The paths are relative to the folder of the stick.
  private func scan(
    _ paths: [String]? = nil, isMedium: Bool = true
  ) -> (music: [String], links: [String], others: Int) {
    var (music, links, others): ([String], [String], Int) = ([], [], 0)
    _ = MusicScan.run(
      paths: paths ?? [root], media: isMedium ? [root] : [], step: { _, _ in .read },
      found: { finding in
        switch finding {
        case .music(let file, _): music.append(String(file.path.dropFirst(root.count + 1)))
        case .unplayable(let file):
          if file.cause == .link {
            links.append(String(file.path.dropFirst(root.count + 1)))
          } else {
            others += 1
          }
        }
      })
    return (music.sorted(), links.sorted(), others)
  }

  @Test func links_thatLeadOffTheMedium_areNamedAndNotFollowed() throws {
    try link("out.flac", to: folder.path("outside.flac"))
    try link("relative.flac", to: "../outside.flac")
    try link("album/root", to: "/")
    try link("processes", to: "/proc")
    try link("device.mp3", to: "/dev/null")
    try link("gone", to: "/home/nobody/Music")
    let found = scan()
    #expect(found.music == ["album/1.flac"])
    #expect(
      found.links == ["album/root", "device.mp3", "gone", "out.flac", "processes", "relative.flac"])
    #expect(found.others == 0)
  }

  @Test func links_withinTheMedium_areFollowedOnce() throws {
    try link("album/loop", to: "..")
    try link("itself", to: "itself")
    try link("again.flac", to: "album/1.flac")
    try link("absolute", to: "\(root)/album")
    try link("nothing", to: "missing")
    try link("absolute nothing", to: "\(root)/missing")
    #expect(scan().music == ["album/1.flac"])
    // A scan finds a hidden file only through a link.
    try link("a.flac", to: ".store/2.flac")
    try link("b.flac", to: ".store/2.flac")
    try link("c", to: ".store")
    try link("d", to: ".store")
    #expect(scan().music == ["a.flac", "album/1.flac"])
    let links = scan().links
    #expect(links.isEmpty)
  }

  @Test func links_inAFolderThatIsNoMedium_areFollowed() throws {
    try link("out.flac", to: folder.path("outside.flac"))
    try link("again.flac", to: "album/1.flac")
    try link("store", to: ".store")
    let found = scan(isMedium: false)
    #expect(found.music == ["again.flac", "album/1.flac", "out.flac", "store/2.flac"])
    #expect(found.links.isEmpty)
  }

  @Test func anotherMedium_thatIsMountedOnTheMedium_isNotSearchedAsItsPart() throws {
    let inner = try MemoryFileSystem(at: "\(root)/inner")
    defer { inner.end() }
    try write("stick/inner/3.flac")
    try link("deep.flac", to: "inner/3.flac")
    let found = scan()
    #expect(found.music == ["album/1.flac"])
    #expect(found.links == ["deep.flac"])
  }

  @Test func scan_ofAFolderOnTheMedium_doesNotLeaveIt() throws {
    try link("album/out.flac", to: folder.path("outside.flac"))
    #expect(scan(["\(root)/album"]).music == ["album/1.flac"])
    #expect(scan(["\(root)/album"]).links == ["album/out.flac"])
    #expect(scan(["\(root)/album/out.flac"]).links == ["album/out.flac"])
    // The folder above the medium is not part of the medium. It contains `outside.flac` and the template of the songs.
    #expect(scan([folder.url.path]).music.count == 3)
  }

  @Test func open_ofALinkThatHasChanged_isRefused() throws {
    let path = "\(root)/album/1.flac"
    let edge = MediumEdge(root)
    #expect(try FileByteSource(path: path, edge: edge).size == Int64(song.count))
    try FileManager.default.removeItem(atPath: path)
    func kind() -> DecodeError.Kind? {
      do throws(DecodeError) {
        _ = try FileByteSource(scanned: FileName.bytes(path), edge: edge)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind() == .missingFile)
    for target in [folder.path("outside.flac"), "/", "/dev/null", "/proc/self/status"] {
      try link("album/1.flac", to: target)
      #expect(kind() == .outsideMedium, "\(target)")
      try FileManager.default.removeItem(atPath: path)
    }
    // A link can also replace the folder of the file.
    try FileManager.default.removeItem(atPath: "\(root)/album")
    try folder.write("1.flac", song)
    try link("album", to: folder.url.path)
    #expect(kind() == .outsideMedium)
    try FileManager.default.removeItem(atPath: "\(root)/album")
    try FileManager.default.createDirectory(
      atPath: "\(root)/album", withIntermediateDirectories: true)
    #expect(mkfifo(path, 0o644) == 0)
    #expect(kind() == .irregularFile)
    medium.end()
    #expect(kind() == .missingFile)
  }
}
