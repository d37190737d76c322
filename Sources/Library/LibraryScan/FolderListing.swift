internal import FileReading
internal import Files
internal import Glibc
internal import MusicFiles

/// The names in a folder, with what a scan must know of them.
struct FolderListing {
  struct File {
    let name: [UInt8]
    let stamp: FileStamp
    /// Set if this file of a medium is found through a link, so that other links may lead to it.
    var linked: FolderIdentity?
  }

  struct Folder {
    let name: [UInt8]
    /// True if this is a link to a folder of the medium.
    var isLink = false
  }

  private(set) var files: [File] = []
  private(set) var folders: [Folder] = []
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
  /// True if the folder is not on its medium.
  private(set) var isOutside = false

  /// True if there are no files and folders.
  var isEmpty: Bool { files.isEmpty && folders.isEmpty }

  /// Maximum memory of the names in a folder, in bytes: 100 000 names of 30 bytes.
  static let maximumNameBytes = 8 << 20
  /// What a name needs besides its bytes.
  private static let overhead = 64

  /// The memory of the names of the folders.
  var folderBytes: Int { folders.reduce(0) { $0 + $1.name.count + Self.overhead } }

  /// Blocks until the medium has delivered the names.
  ///
  /// - Parameters:
  ///   - edge: the edge of the medium; nil if the folder is on no medium.
  ///   - isLinked: true if the folder is found through a link.
  ///   - maximumNameBytes: further names are left out.
  ///   - willRead: called before each access to the medium.
  init(
    _ path: [UInt8], edge: MediumEdge? = nil, isLinked: Bool = false,
    maximumNameBytes: Int = maximumNameBytes, willRead: () -> Void = {}
  ) {
    willRead()
    guard let reader = FolderReader(bytes: path) else {
      failure = errno
      return
    }
    var status = stat()
    if fstat(reader.descriptor, &status) == 0 {
      identity = FolderIdentity(status)
    }
    // A link may have changed since the folder was found.
    if let edge, !edge.contains(status) {
      isOutside = true
      return
    }
    var nameBytes = 0
    while let name = reader.nextBytes() {
      willRead()
      guard name.first != UInt8(ascii: "."), !isSystemFolder(name) else { continue }
      nameBytes += name.count + Self.overhead
      guard nameBytes <= maximumNameBytes else {
        isCut = true
        return
      }
      if let edge {
        add(name, path + [UInt8(ascii: "/")] + name, in: reader.descriptor, edge, isLinked)
      } else {
        add(name, in: reader.descriptor)
      }
    }
    failure = reader.failure == 0 ? statFailure : reader.failure
    isComplete = failure == 0
  }

  /// Frees the memory of the files.
  mutating func dropFiles() { files = [] }

  private mutating func add(_ name: [UInt8], in folder: Int32) {
    var status = stat()
    guard fstatat(folder, FileName.cString(name), &status, 0) == 0 else { return note(errno) }
    add(name, status)
  }

  /// Adds a name on a medium.
  private mutating func add(
    _ name: [UInt8], _ path: [UInt8], in folder: Int32, _ edge: MediumEdge, _ isLinked: Bool
  ) {
    var status = stat()
    let entry = FileName.cString(name)
    guard fstatat(folder, entry, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return note(errno) }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    if isLink {
      switch edge.target(of: path) {
      case .found, .missing: return
      case .unreadable(let code): return note(code)
      case .outside:
        // Reading this file fails, which gives the reason.
        return files.append(File(name: name, stamp: FileStamp(status)))
      case .hidden:
        guard fstatat(folder, entry, &status, 0) == 0 else { return note(errno) }
      }
    }
    // Another file system may be mounted here.
    if edge.contains(status) { add(name, status, isLink: isLink, isLinked: isLink || isLinked) }
  }

  private mutating func add(
    _ name: [UInt8], _ status: stat, isLink: Bool = false, isLinked: Bool = false
  ) {
    switch status.st_mode & S_IFMT {
    case S_IFDIR: folders.append(Folder(name: name, isLink: isLink))
    case S_IFREG:
      files.append(
        File(
          name: name, stamp: FileStamp(status), linked: isLinked ? FolderIdentity(status) : nil))
    default: break
    }
  }

  private mutating func note(_ code: Int32) {
    // A link without a target, or a circular link. Any other error is one of the medium: the name exists, so it must
    // not count as gone.
    if code != ENOENT, code != ELOOP { statFailure = code }
  }
}
