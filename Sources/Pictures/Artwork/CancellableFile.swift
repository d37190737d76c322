internal import AudioCodecs
internal import FileReading
internal import Glibc
internal import Threads

/// A file that is read in chunks until the reader cancels.
final class CancellableFile: ByteSource {
  /// Largest size of a chunk. A slow stick needs some tens of milliseconds for one chunk, so a cancelled read ends
  /// soon.
  static let pieceBytes = 256 << 10

  private let file: FileByteSource
  private let shouldContinue: () -> Bool
  /// True after an error of the medium, or after the reader has cancelled.
  private(set) var hasFailed = false

  init(_ file: FileByteSource, _ shouldContinue: @escaping () -> Bool) {
    self.file = file
    self.shouldContinue = shouldContinue
  }

  var size: Int64 { file.size }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    guard shouldContinue() else {
      hasFailed = true
      throw ByteSourceError(offset: offset, code: ECANCELED, reason: systemWords(ECANCELED))
    }
    do throws(ByteSourceError) {
      return try file.read(
        at: offset,
        into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Self.pieceBytes)))
    } catch {
      hasFailed = true
      throw error
    }
  }
}
