internal import Files
internal import Glibc
internal import LibraryDatabase
internal import MusicFiles

/// The names in a folder, with what a scan must know of them.
struct FolderListing {
  struct File {
    let name: [UInt8]
    let stamp: LibraryWriter.Stamp
  }

  private(set) var files: [File] = []
  private(set) var folders: [[UInt8]] = []
  /// True if the folder could be read to its end. If not, a missing name does not mean that the file is gone.
  private(set) var isComplete = false
  /// True if the folder has more names than are kept.
  private(set) var isCut = false
  /// The `errno` because of which the folder could not be read; 0 if it could be read.
  private(set) var failure: Int32 = 0
  /// The `errno` because of which a name could not be examined; 0 if there was no such error.
  private var statFailure: Int32 = 0
  /// The identity of the folder itself.
  private(set) var identity: FolderIdentity?

  struct FolderIdentity: Hashable {
    let device: UInt
    let inode: UInt
  }

  /// True if there are no files and folders.
  var isEmpty: Bool { files.isEmpty && folders.isEmpty }

  /// Maximum memory of the names in a folder, in bytes: 100 000 names of 30 bytes.
  private static let maximumNameBytes = 8 << 20

  /// Blocks until the medium has delivered the names.
  init(_ path: [UInt8]) {
    guard let reader = FolderReader(bytes: path) else {
      failure = errno
      return
    }
    var status = stat()
    if fstat(reader.descriptor, &status) == 0 {
      identity = FolderIdentity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    }
    var nameBytes = 0
    while let name = reader.nextBytes() {
      guard name.first != UInt8(ascii: "."), !isSystemFolder(name) else { continue }
      nameBytes += name.count + 64
      guard nameBytes <= Self.maximumNameBytes else {
        isCut = true
        return
      }
      add(name, in: reader.descriptor)
    }
    failure = reader.failure == 0 ? statFailure : reader.failure
    isComplete = failure == 0
  }

  private mutating func add(_ name: [UInt8], in folder: Int32) {
    var status = stat()
    let found = name.withUnsafeBytes { bytes in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { text in
        for (index, byte) in bytes.enumerated() { text[index] = CChar(bitPattern: byte) }
        text[bytes.count] = 0
        return fstatat(folder, text.baseAddress!, &status, 0) == 0
      }
    }
    guard found else {
      // A link without a target, or a circular link. Any other error is one of the medium: the name exists, so
      // it must not count as gone.
      if errno != ENOENT, errno != ELOOP { statFailure = errno }
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: folders.append(name)
    case S_IFREG:
      let stamp = LibraryWriter.Stamp(
        size: Int64(status.st_size), seconds: Int64(status.st_mtim.tv_sec),
        nanoseconds: Int64(status.st_mtim.tv_nsec))
      files.append(File(name: name, stamp: stamp))
    default: break
    }
  }
}
