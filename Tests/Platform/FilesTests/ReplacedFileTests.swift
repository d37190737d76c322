import Foundation
import TestKit
import Testing

@testable import Files

@Suite struct ReplacedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: [UInt8], isForAll: Bool = false) throws {
    try ReplacedFile.write(
      bytes, to: "file", in: folder.url.path, temporary: ".new", isForAll: isForAll)
  }

  private func mode() -> mode_t {
    var status = stat()
    return stat(folder.path("file"), &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func file_isReplacedAsAWhole() throws {
    for bytes: [UInt8] in [[1, 2, 3], [], Array(repeating: 7, count: 100_000)] {
      try write(bytes)
      #expect(try folder.read("file") == bytes)
      #expect(!FileManager.default.fileExists(atPath: folder.path(".new")))
    }
  }

  @Test func restOfAnEarlierAttempt_isReplaced() throws {
    try folder.write(".new", Array(repeating: 9, count: 5000))
    try write([1])
    #expect(try folder.read("file") == [1])
  }

  @Test func fileForAll_hasAModeThatTheUmaskDoesNotChange() throws {
    try write([1], isForAll: true)
    #expect(mode() == 0o644)
  }

  @Test func folderInPlaceOfTheFile_isAnError_andStays() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("file/inside"), withIntermediateDirectories: true)
    #expect(throws: ReplacedFile.Failure(code: EISDIR)) { try write([1]) }
    #expect(FileManager.default.fileExists(atPath: folder.path("file/inside")))
    #expect(!FileManager.default.fileExists(atPath: folder.path(".new")))
  }

  @Test func missingFolder_isAnError() {
    #expect(throws: ReplacedFile.Failure(code: ENOENT)) {
      try ReplacedFile.write([1], to: "file", in: "/nowhere/at/all", temporary: ".new")
    }
    #expect(throws: ReplacedFile.Failure(code: ENOENT)) {
      try ReplacedFile.synchronise(folder: "/nowhere/at/all")
    }
  }
}
