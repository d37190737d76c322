internal import FileReading
internal import Files
internal import Glibc
internal import MusicFiles

/// The files and folders in a folder, with the data that a scan needs.
struct FolderListing {
  struct File {
    let name: [UInt8]
    let stamp: FileStamp
    /// The identity of a file that was found through a link. Several links can lead to one file, which the scan counts
    /// only once. Nil for a file that was found without a link.
    var linked: FolderIdentity?
  }

  struct Folder {
    let name: [UInt8]
    /// True if this is a link to a folder of the medium.
    var isLink = false
  }

  private(set) var files: [File] = []
  private(set) var folders: [Folder] = []
  /// True if the folder could be read to its end. Only then a missing name means that a file was removed.
  private(set) var isComplete = false
  /// True if names were left out because of the maximum memory.
  private(set) var isCut = false
  /// The `errno` because of which the folder could not be read; 0 if it could be read.
  private(set) var failure: Int32 = 0
  /// The `errno` because of which a name could not be examined; 0 if there was no such error.
  private var statFailure: Int32 = 0
  /// The identity of the folder itself.
  private(set) var identity: FolderIdentity?
  /// True if the folder is outside of its medium, for example because of a link.
  private(set) var isOutside = false

  /// True if there are neither files nor folders.
  var isEmpty: Bool { files.isEmpty && folders.isEmpty }

  /// Maximum memory of the names in a folder, in bytes: 100 000 names of 30 bytes.
  static let maximumNameBytes = 8 << 20
  /// The memory in bytes that a name needs in addition to its own bytes.
  private static let overhead = 64

  /// The memory in bytes of the names of the folders.
  var folderBytes: Int { folders.reduce(0) { $0 + $1.name.count + Self.overhead } }

  /// Lists a folder. Blocks until the medium has delivered the names.
  ///
  /// - Parameters:
  ///   - edge: the edge of the medium, which tells whether a path is on the medium. Nil if the folder is not on a
  ///     medium.
  ///   - isLinked: true if the folder was found through a link.
  ///   - maximumNameBytes: maximum memory of the names. Further names are left out.
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
    // A link can have changed since the folder was found, so the folder is checked again.
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
        // The link leads out of the medium. It is added like a file. Reading this file then fails, and the library
        // shows the error as the reason why the file cannot be played.
        return files.append(File(name: name, stamp: FileStamp(status)))
      case .hidden:
        guard fstatat(folder, entry, &status, 0) == 0 else { return note(errno) }
      }
    }
    // The name is left out if another file system is mounted at this name.
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
    // ENOENT and ELOOP: a link without a target, or a cycle of links. Any other error is an error of the medium. The
    // name then exists, and must not count as removed.
    if code != ENOENT, code != ELOOP { statFailure = code }
  }
}
