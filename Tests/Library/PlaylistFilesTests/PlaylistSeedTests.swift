import AudioCodecs
import Foundation
import TestKit
import Testing

@testable import PlaylistFiles

/// Reads the seed inputs of the fuzz target `M3UFuzzer`, and all inputs that have crashed or hung a fuzz target.
@Suite struct PlaylistSeedTests {
  private static var files: [URL] {
    ["Tests/Fuzz/seeds/m3u", "Tests/Fuzz/crashers"].flatMap { folder in
      (try? FileManager.default.contentsOfDirectory(
        at: ProjectFile.url(folder), includingPropertiesForKeys: nil)) ?? []
    }
  }

  @Test func read_anySeed_keepsTheLimits() throws {
    #expect(Self.files.count > 20)
    for file in Self.files {
      let bytes = [UInt8](try Data(contentsOf: file))
      let list = M3UPlaylist(bytes)
      #expect(list == M3UPlaylist(bytes))
      for entry in list.entries {
        let names = entry.path.split(separator: "/", omittingEmptySubsequences: false)
        #expect(names.allSatisfy { !$0.isEmpty && $0 != "." }, "\(file.lastPathComponent)")
        #expect(!entry.path.utf8.contains(0), "\(file.lastPathComponent)")
      }
    }
  }

  @Test(arguments: [
    ("titles.m3u8", ["Air/moon.flac", "b.ogg", "c"]),
    ("left-out.m3u", ["b"]), ("windows-1252.m3u", ["böse€.mp3", "\u{FFFD}\u{FFFD}\u{FFFD}"]),
    ("mark.m3u8", ["Music/ש.mp3", "\u{FEFF}x"]), ("utf-16.m3u", []), ("newlines.m3u", ["a", "b"]),
    ("comments.m3u", ["x", "y"]), ("end-in-character.m3u8", ["café", "cafÃ"]),
    ("spaces.m3u", ["a", "b"]),
  ])
  func read_seed_hasTheseEntries(name: String, paths: [String]) throws {
    let file = ProjectFile.url("Tests/Fuzz/seeds/m3u/\(name)")
    #expect(M3UPlaylist([UInt8](try Data(contentsOf: file))).entries.map(\.path) == paths)
  }
}
