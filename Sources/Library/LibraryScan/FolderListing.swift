internal import Files
internal import Glibc
internal import MusicFiles

/// The names in a folder, with what a scan must know of them.
struct FolderListing {
  struct File {
    let name: [UInt8]
    let stamp: FileStamp
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

  /// True if there are no files and folders.
  var isEmpty: Bool { files.isEmpty && folders.isEmpty }

  /// Maximum memory of the names in a folder, in bytes: 100 000 names of 30 bytes.
  static let maximumNameBytes = 8 << 20
  /// What a name needs besides its bytes.
  private static let overhead = 64

  /// The memory of the names of the folders.
  var folderBytes: Int { folders.reduce(0) { $0 + $1.count + Self.overhead } }

  /// Blocks until the medium has delivered the names.
  ///
  /// - Parameter maximumNameBytes: further names are left out.
  init(_ path: [UInt8], maximumNameBytes: Int = maximumNameBytes) {
    guard let reader = FolderReader(bytes: path) else {
      failure = errno
      return
    }
    var status = stat()
    if fstat(reader.descriptor, &status) == 0 {
      identity = FolderIdentity(status)
    }
    var nameBytes = 0
    while let name = reader.nextBytes() {
      guard name.first != UInt8(ascii: "."), !isSystemFolder(name) else { continue }
      nameBytes += name.count + Self.overhead
      guard nameBytes <= maximumNameBytes else {
        isCut = true
        return
      }
      add(name, in: reader.descriptor)
    }
    failure = reader.failure == 0 ? statFailure : reader.failure
    isComplete = failure == 0
  }

  /// Frees the memory of the files.
  mutating func dropFiles() { files = [] }

  private mutating func add(_ name: [UInt8], in folder: Int32) {
    var status = stat()
    guard fstatat(folder, FileName.cString(name), &status, 0) == 0 else {
      // A link without a target, or a circular link. Any other error is one of the medium: the name exists, so
      // it must not count as gone.
      if errno != ENOENT, errno != ELOOP { statFailure = errno }
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: folders.append(name)
    case S_IFREG: files.append(File(name: name, stamp: FileStamp(status)))
    default: break
    }
  }
}
