internal import Glibc

/// Writes a file so that after a power cut at any moment the file is either complete or missing. The writer copies the
/// picture piece by piece to a file with another name, compares the hash of the copied bytes with the key, synchronises
/// the file with the medium, and then renames the file. The writer works step by step, so that a test can stop at any
/// step.
///
/// The folder itself is not synchronised. If the name of the file is lost in a power cut, the picture is searched for
/// again.
struct CacheWriter: ~Copyable {
  private enum Stage {
    case create
    case write(file: Int32, from: Int)
    case compare(file: Int32)
    case synchronise(file: Int32)
    case name(file: Int32)
  }

  private let folder: CacheFolder
  private let name: CacheName
  private let key: PictureKey
  private let picture: PictureStream
  private let pieceBytes: Int
  private var hash = SHA256()
  private var stage = Stage.create

  /// - Parameter key: the key of the picture, computed in an earlier read.
  init(
    _ folder: CacheFolder, _ name: CacheName, _ key: PictureKey, _ picture: PictureStream,
    pieceBytes: Int = PictureStream.pieceBytes
  ) {
    self.folder = folder
    self.name = name
    self.key = key
    self.picture = picture
    self.pieceBytes = pieceBytes
  }

  deinit {
    switch stage {
    case .create: break
    case .write(let file, _), .compare(let file), .synchronise(let file), .name(let file):
      close(file)
    }
  }

  /// Writes the whole file. After an error, the unfinished file is removed.
  static func write(
    _ folder: CacheFolder, _ name: CacheName, _ key: PictureKey, _ picture: PictureStream
  ) throws(CacheFailure) {
    var writer = CacheWriter(folder, name, key, picture)
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
      let piece = try read(start)
      let written = Glibc.write(file, piece.baseAddress, piece.count)
      if written < 0, errno == EINTR { return true }
      guard written > 0 else { throw CacheFailure("cannot be written") }
      hash.add(UnsafeRawBufferPointer(rebasing: piece[..<written]))
      let end = start + written
      stage = end < picture.size ? .write(file: file, from: end) : .compare(file: file)
    case .compare(let file):
      // Another program can have changed the picture after its key was computed.
      guard PictureKey(hash) == key else {
        throw .picture(.unreadable("was changed while it was read"))
      }
      stage = .synchronise(file: file)
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

  private func read(_ start: Int) throws(CacheFailure) -> UnsafeRawBufferPointer {
    do throws(CoverFault) {
      return try picture.piece(at: start, count: min(pieceBytes, picture.size - start))
    } catch {
      throw .picture(error)
    }
  }
}
