internal import AudioCodecs
internal import Files
internal import Glibc
internal import Threads

extension FolderWalk {
  /// What a name in a folder leads to.
  enum Entry {
    case folder(FolderIdentity, isLink: Bool)
    case file(FolderIdentity, isLink: Bool)
    /// A link that leads off the medium.
    case outside
    /// Another name leads to the same folder, or another medium is mounted here.
    case other
    case unusable(reason: String, mayHideMusic: Bool)

    /// - Parameter edge: nil if the path is on no medium.
    init(_ path: String, _ edge: MediumEdge?, _ media: Set<String>) {
      var status = stat()
      let name = FileName.cString(path)
      var isRead = (edge == nil ? stat(name, &status) : lstat(name, &status)) == 0
      var code = errno
      let isLink = isRead && status.st_mode & S_IFMT == S_IFLNK
      if let edge, isLink {
        switch edge.target(of: FileName.bytes(path)) {
        case .found:
          self = .other
          return
        case .outside:
          self = .outside
          return
        case .hidden:
          isRead = stat(name, &status) == 0
          code = errno
        case .missing: (isRead, code) = (false, ENOENT)
        case .unreadable(let failure): (isRead, code) = (false, failure)
        }
      }
      if let edge, isRead, !edge.contains(status), !media.contains(path) {
        self = .other
        return
      }
      guard isRead else {
        // A link without a target, or a circular link, is reported only if it has the name of a
        // music file.
        self = .unusable(
          reason: systemWords(code), mayHideMusic: code != ENOENT && code != ELOOP)
        return
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: self = .folder(FolderIdentity(status), isLink: isLink)
      case S_IFREG: self = .file(FolderIdentity(status), isLink: isLink)
      default: self = .unusable(reason: "is not a regular file", mayHideMusic: false)
      }
    }
  }
}

/// The values that the files of one folder share. Each pair of artist and album is stored once.
struct SharedAlbums {
  let directory: String
  private var stored: [[String?]: MusicFile.Common] = [:]

  init(directory: String) { self.directory = directory }

  mutating func common(artist: String?, album: String?) -> MusicFile.Common {
    let key = [artist, album]
    if let known = stored[key] { return known }
    let new = MusicFile.Common(directory: directory, artist: artist, album: album)
    stored[key] = new
    return new
  }
}

/// A file for a scan. After the scan was stopped, each read fails. Reading a header usually takes a
/// few reads, but the header of a broken file may require reading the whole file.
final class CancellableSource: ByteSource {
  private let file: FileByteSource
  private let continues: () -> Bool
  private(set) var wasStopped = false

  init(_ file: FileByteSource, continues: @escaping () -> Bool) {
    self.file = file
    self.continues = continues
  }

  var size: Int64 { file.size }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    if !wasStopped, !continues() { wasStopped = true }
    guard !wasStopped else {
      throw ByteSourceError(offset: offset, code: ECANCELED, reason: systemWords(ECANCELED))
    }
    return try file.read(at: offset, into: buffer)
  }
}
