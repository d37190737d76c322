import Foundation
import TestKit
import Testing

@testable import Files

@Suite struct FolderReaderTests {
  @Test func next_returnsEveryNameOnce() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "Ü"] { try folder.write(name, []) }
    let reader = try #require(FolderReader(folder.url.path))
    var names: [String] = []
    while let name = reader.next() { names.append(name) }
    #expect(names.sorted() == [".", "..", "a", "b", "Ü"])
    #expect(reader.failure == 0)
  }

  @Test func nextFolderBytes_returnsOnlyFolders() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", [])
    try FileManager.default.createDirectory(
      atPath: folder.path("Ü"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("Ü"))
    let reader = try #require(FolderReader(folder.url.path))
    var names: [String] = []
    while let name = reader.nextFolderBytes() { names.append(FileName.text(name)) }
    #expect(names.sorted() == [".", "..", "Ü"])
  }

  @Test func init_pathThatIsNoFolder_returnsNil() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", [])
    #expect(FolderReader(folder.path("a")) == nil)
    #expect(FolderReader(folder.path("none")) == nil)
  }
}
