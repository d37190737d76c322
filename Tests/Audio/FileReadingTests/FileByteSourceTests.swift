import AudioCodecs
import Foundation
import TestKit
import Testing

@testable import FileReading

@Suite struct FileByteSourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func refusal(_ path: String) -> DecodeError? {
    do throws(DecodeError) {
      _ = try FileByteSource(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func open_otherFileTypes_areRefusedWithoutBlocking() throws {
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    #expect(symlink("/dev/zero", folder.path("link")) == 0)
    for path in [folder.path("pipe"), folder.path("link"), folder.url.path, "/dev/null"] {
      #expect(refusal(path)?.kind == .irregularFile, "\(path)")
    }
  }

  /// The medium of such a file works.
  @Test(arguments: [
    (EACCES, DecodeError.Kind.notPermitted), (EPERM, .notPermitted), (ENOENT, .missingFile),
    (EIO, .unreadable),
  ])
  func open_error_hasItsKind(_ code: Int32, _ kind: DecodeError.Kind) {
    errno = code
    do throws(DecodeError) {
      _ = try FileByteSource(descriptor: -1)
      Issue.record("the file was opened")
    } catch {
      #expect(error.kind == kind)
    }
  }

  @Test func open_missingFile_isRefused() {
    let error = refusal(folder.path("none"))
    #expect(error?.kind == .missingFile)
    #expect(error?.reason.hasSuffix("No such file or directory") == true)
  }

  @Test func stamp_changedFile_differs() throws {
    try folder.write("a", [1, 2, 3])
    let first = try FileByteSource(path: folder.path("a"))
    #expect(first.stamp == (try FileByteSource(path: folder.path("a"))).stamp)
    try folder.write("a", [1, 2, 3, 4])
    #expect(first.stamp != (try FileByteSource(path: folder.path("a"))).stamp)
    #expect(first.size == 3)
  }
}
