internal import Glibc

/// Writes a file so that after a power cut at any moment the file is either complete or missing.
/// The writer writes the file under another name, synchronises the file with the medium, and then
/// renames the file. The writer works step by step, so that a test can stop at any step.
///
/// The folder itself is not synchronised. If the name of the file is lost in a power cut, the
/// picture is searched for again.
struct CacheWriter: ~Copyable {
  private enum Stage {
    case create
    case write(file: Int32, from: Int)
    case synchronise(file: Int32)
    case name(file: Int32)
  }

  private let folder: CacheFolder
  private let name: CacheName
  private let bytes: [UInt8]
  private let piece: Int
  private var stage = Stage.create

  init(_ folder: CacheFolder, _ name: CacheName, _ bytes: [UInt8], piece: Int = 256 << 10) {
    self.folder = folder
    self.name = name
    self.bytes = bytes
    self.piece = piece
  }

  deinit {
    switch stage {
    case .create: break
    case .write(let file, _), .synchronise(let file), .name(let file): close(file)
    }
  }

  /// Writes the whole file. After an error, the unfinished file is removed.
  static func write(_ folder: CacheFolder, _ name: CacheName, _ bytes: [UInt8])
    throws(CacheFailure)
  {
    var writer = CacheWriter(folder, name, bytes)
    do throws(CacheFailure) {
      while try writer.step() {}
    } catch {
      folder.remove(.unfinished)
      throw error
    }
  }

  /// Carries out one step. Returns false after the last step.
  mutating func step() throws(CacheFailure) -> Bool {
    switch stage {
    case .create:
      folder.remove(.unfinished)
      let file = openat(
        folder.descriptor, CacheName.unfinished.text,
        O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
      guard file >= 0 else { throw CacheFailure("cannot be written") }
      stage = .write(file: file, from: 0)
    case .write(let file, let start):
      let count = min(piece, bytes.count - start)
      let written = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + start, count) }
      if written < 0, errno == EINTR { return true }
      guard written > 0 else { throw CacheFailure("cannot be written") }
      let end = start + written
      stage = end < bytes.count ? .write(file: file, from: end) : .synchronise(file: file)
    case .synchronise(let file):
      guard fsync(file) == 0 else { throw CacheFailure("cannot be written") }
      stage = .name(file: file)
    case .name(let file):
      let renamed = renameat(
        folder.descriptor, CacheName.unfinished.text, folder.descriptor, name.text)
      guard renamed == 0 else { throw CacheFailure("cannot be written") }
      close(file)
      stage = .create
      return false
    }
    return true
  }
}
