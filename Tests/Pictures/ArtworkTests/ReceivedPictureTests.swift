import AudioCodecs
import Foundation
import TestKit
import Testing
import Threads

@testable import Artwork

/// Tests which pictures of other programs the cache takes from a pipe.
@Suite struct ReceivedPictureTests {
  private let folder: TemporaryFolder
  private let cache: ArtworkCache

  init() throws {
    folder = try TemporaryFolder()
    cache = ArtworkCache(folder: folder.path("cache"))
  }

  /// A pipe whose writing end is in use until it is closed.
  private final class Pipe {
    let reading: Int32
    private var writing: Int32?

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      reading = ends[0]
      writing = ends[1]
      _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    }

    deinit {
      end()
      close(reading)
    }

    /// Returns the number of bytes that were written.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Int {
      guard let writing else { return -1 }
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          Foundation.write(writing, $0.baseAddress, $0.count)
        }
        guard count > 0 else { break }
        sent += count
      }
      return sent
    }

    func end() {
      if let writing { close(writing) }
      writing = nil
    }
  }

  private func receive(
    _ pipe: Pipe, bytes: Int = 1 << 20, milliseconds: Int = 1_000_000, cancel: WakeUp = WakeUp()
  ) -> Result<ArtworkCache.Received, CoverFault> {
    var limits = CoverLimits()
    limits.bytes = bytes
    return Result { () throws(CoverFault) in
      try cache.receive(
        from: pipe.reading, limits: limits, milliseconds: milliseconds, cancel: cancel)
    }
  }

  /// What is received when a program writes these bytes and closes the pipe.
  private func receive(_ bytes: [UInt8], atMost limit: Int = 1 << 20) throws
    -> Result<ArtworkCache.Received, CoverFault>
  {
    let pipe = try Pipe()
    let writer = NamedThread("writer") { [pipe = Box(pipe)] in
      pipe.value.write(bytes)
      pipe.value.end()
    }
    defer { writer.join() }
    return receive(pipe, bytes: limit)
  }

  private struct Box<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  @Test func picture_isStoredUnderTheNameOfItsBytes() throws {
    let bytes = GeneratedPNG.halves(300, 200).bytes
    let found = try receive(bytes).get()
    #expect(found.kind == .png && found.width == 300 && found.height == 200)
    #expect(found.path == folder.path("cache/\(PictureKey(of: bytes).hex).png"))
    #expect(try folder.read("cache/\(PictureKey(of: bytes).hex).png") == bytes)
    #expect(try receive(bytes).get() == found)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("cache")).count == 1)
  }

  @Test func otherBytes_areRefused_andLeaveNoFile() throws {
    let gif = Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 100)
    let cut = Array(GeneratedPNG.halves(8, 8).bytes.prefix(20))
    let large = GeneratedPNG.halves(300, 200).bytes
    for (bytes, limit, fault) in [
      ([], 1000, .empty), (gif, 1000, .otherKind("a GIF")), (cut, 1000, .truncated),
      (large, large.count - 1, .tooManyBytes(0)),
    ] as [([UInt8], Int, CoverFault)] {
      guard case .failure(let found) = try receive(bytes, atMost: limit) else {
        Issue.record("\(fault)")
        continue
      }
      if case .tooManyBytes = fault, case .tooManyBytes = found { continue }
      if case .otherKind = fault, case .otherKind = found { continue }
      #expect(found == fault)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("cache")).isEmpty)
  }

  @Test func pipeThatIsNotClosed_endsAfterTheTime_orWhenThePictureIsNotNeeded() throws {
    let pipe = try Pipe()
    pipe.write(GeneratedPNG.halves(8, 8).bytes)
    #expect(receive(pipe, milliseconds: 1) == .failure(.unreadable("did not arrive in time")))
    let cancel = WakeUp()
    cancel.signal()
    #expect(
      receive(pipe, cancel: cancel) == .failure(.unreadable("is not needed any more")))
  }
}
