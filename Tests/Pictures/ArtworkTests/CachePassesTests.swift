import AudioCodecs
import Foundation
import TestKit
import Testing

@testable import Artwork

/// Tests how often the cache reads a new picture, and what happens if the second reading differs from the first.
@Suite struct CachePassesTests {
  private let folder: TemporaryFolder
  private let image: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    image = GeneratedPictures.jpeg() + (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  }

  /// A picture that counts the bytes that are read, and that changes at a chosen moment.
  private final class ChangingSource: ByteSource {
    private var bytes: [UInt8]
    private(set) var bytesRead = 0
    /// Called before each read, with the bytes of the picture and the number of bytes that were read so far.
    var change: ((inout [UInt8], _ bytesRead: Int) throws(ByteSourceError) -> Void)?

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      size = Int64(bytes.count)
    }

    let size: Int64

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
      throws(ByteSourceError) -> Int
    {
      try change?(&bytes, bytesRead)
      let count = try MemoryByteSource(bytes).read(at: offset, into: buffer)
      bytesRead += count
      return count
    }
  }

  private func keep(_ source: ChangingSource, in cache: ArtworkCache) throws -> ArtworkCache.Stored
  {
    var notices: [CoverNotice] = []
    defer { #expect(notices.isEmpty) }
    let header = try ImageHeader(HeaderBytes(image), limits: CoverLimits())
    return try cache.keep(
      PictureStream(source, in: .ownFile), header, from: nil, notices: &notices)
  }

  @Test func keep_newPicture_isReadTwice_andAStoredPictureOnce() throws {
    let path = folder.path("cache")
    let source = ChangingSource(image)
    do {
      let cache = ArtworkCache(folder: path)
      #expect(try keep(source, in: cache).path != nil)
      #expect(source.bytesRead == 2 * image.count)
      #expect(try keep(source, in: cache).path != nil)
      #expect(source.bytesRead == 3 * image.count)
    }
    var before = stat()
    let file = folder.path("cache/\(PictureKey(of: image).hex).jpg")
    #expect(stat(file, &before) == 0)
    #expect(try keep(source, in: ArtworkCache(folder: path)).path == file)
    #expect(source.bytesRead == 4 * image.count)
    var after = stat()
    #expect(stat(file, &after) == 0 && before.st_ino == after.st_ino)
  }

  @Test func keep_pictureChangesBetweenItsTwoReadings_isRefused() throws {
    let cache = ArtworkCache(folder: folder.path("cache"))
    let source = ChangingSource(image)
    var changes = 0
    source.change = { bytes, bytesRead in
      guard bytesRead >= self.image.count, changes == 0 else { return }
      changes += 1
      bytes[300_000] ^= 1
    }
    #expect(throws: CoverFault.unreadable("was changed while it was read")) {
      try keep(source, in: cache)
    }
    #expect(folder.names("cache").isEmpty)
    // The changed picture does not change again, so it is stored, with another key.
    let stored = try keep(source, in: cache)
    #expect(stored.key != PictureKey(of: image))
    #expect(folder.names("cache") == [stored.key.hex + ".jpg"])
  }

  @Test func keep_mediumFailsAnywhere_isRefused_andLeavesNoFile() throws {
    let cache = ArtworkCache(folder: folder.path("cache"))
    let lastRead = 2 * image.count - PictureStream.pieceBytes
    for limit in stride(from: 0, to: lastRead, by: 150_000) {
      let source = ChangingSource(image)
      source.change = { (_, bytesRead) throws(ByteSourceError) in
        guard bytesRead <= limit else {
          throw ByteSourceError(offset: 0, code: EIO, reason: "removed")
        }
      }
      #expect(throws: CoverFault.unreadable("cannot be read: removed")) {
        try keep(source, in: cache)
      }
      #expect(folder.names("cache").isEmpty, "\(limit) bytes")
    }
  }

  @Test func keep_pictureBecomesShorter_isRefused() throws {
    let cache = ArtworkCache(folder: folder.path("cache"))
    for limit in [0, image.count] {
      let source = ChangingSource(image)
      source.change = { bytes, bytesRead in
        if bytesRead >= limit { bytes.removeLast(min(bytes.count, 100)) }
      }
      #expect(throws: CoverFault.unreadable("was truncated while it was read")) {
        try keep(source, in: cache)
      }
      #expect(folder.names("cache").isEmpty)
    }
  }
}
