import AudioCodecs
import Foundation
import TestKit
import Testing

@testable import FileReading

/// Whether a file is missing, or its medium was removed. The media are real mounts.
@Suite struct PlayedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func isGone_deletedFileOfAFolder_isNotGone() throws {
    try folder.write("a", [1])
    let file = PlayedFile(folder.path("a"), in: .folder)
    let unknown = PlayedFile(folder.path("a"), in: .unknown)
    #expect(!file.isGone && !unknown.isGone)
    #expect(unlink(folder.path("a")) == 0)
    #expect(!file.isGone && unknown.isGone)
  }

  @Test(.enabled(if: MemoryFileSystem.obstacle == nil, "needs the right to mount"))
  func isGone_medium_isGoneWhenItIsUnmounted_evenIfItIsMountedAgain() throws {
    let root = folder.path("stick")
    let medium = try MemoryFileSystem(at: root)
    try folder.write("stick/a", [1, 2])
    let opened = PlayedFile("\(root)/a", in: .medium(root))
    let source = try opened.open()
    #expect(source.size == 2 && !opened.isGone)
    // The last file of the medium is deleted.
    #expect(unlink("\(root)/a") == 0)
    let missing = PlayedFile("\(root)/a", in: .medium(root))
    #expect(!missing.isGone && !opened.isGone)
    medium.end()
    #expect(missing.isGone && opened.isGone)
    let again = try MemoryFileSystem(at: root)
    try folder.write("stick/a", [1, 2])
    #expect(!missing.isGone && opened.isGone)
    withExtendedLifetime(source) {}
    again.end()
    #expect(rmdir(root) == 0)
    #expect(missing.isGone && opened.isGone)
  }
}
