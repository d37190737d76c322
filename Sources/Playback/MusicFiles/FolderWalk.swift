internal import AudioCodecs
internal import FileReading
internal import Files
internal import Glibc
internal import Threads

/// One scan of files and folders.
struct FolderWalk {
  private(set) var summary = MusicScan.Summary()

  private let limits: MusicScan.Limits
  private let step: (String, Int) -> MusicScan.Step
  private let found: (MusicScan.Finding) -> Void
  private var seen = 0
  private var isFull = false
  private var isTooDeep = false
  /// The folders that the present call of ``scan(_:)`` has entered. A folder is entered only once, so a circular link
  /// cannot cause an endless scan.
  private var entered: Set<FolderIdentity> = []
  private let media: Set<String>
  /// The border of the medium that is searched, for checks whether a link leads out of the medium. Nil if the folder is
  /// on no medium.
  private var edge: MediumEdge?
  /// True in a folder that was entered through a link.
  private var isLinked = false
  /// The files on media that the scan has reached through a link. Each of these files is examined only once.
  private var linked: Set<FolderIdentity> = []

  /// An estimate of the memory for the names of the folders that are open at present, in bytes.
  private var nameBytes = 0

  private struct Subfolder {
    let name: String
    let identity: FolderIdentity
    let isLink: Bool

    /// An estimate of the memory of this object: the bytes of the name, and 64 bytes for the rest.
    var bytes: Int { name.utf8.count + 64 }
  }

  init(
    media: Set<String>, limits: MusicScan.Limits, step: @escaping (String, Int) -> MusicScan.Step,
    found: @escaping (MusicScan.Finding) -> Void
  ) {
    self.media = media
    self.limits = limits
    self.step = step
    self.found = found
  }

  /// Scans a path that the user named.
  mutating func scan(_ path: String) {
    guard mayRead(path) else { return }
    edge = media.filter { withoutTrailingSlashes(path).utf8.starts(with: "\($0)/".utf8) }
      .max { $0.utf8.count < $1.utf8.count }.map { MediumEdge($0) }
    linked = []
    var status = stat()
    guard stat(FileName.cString(path), &status) == 0 else {
      return cannotPlay(path, systemWords(errno), .folder)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      let name = lastComponent(path)
      let directory = String(Substring(withoutTrailingSlashes(path).utf8.dropLast(name.utf8.count)))
      var albums = SharedAlbums(directory: directory)
      switch examine(name, isNamed: true, &albums) {
      case .music(let music): found(.music(music.file, headerDamage: music.headerDamage))
      case .unplayable(let file): found(.unplayable(file))
      case nil: break
      }
      return
    }
    if isFull { return reportLimit(path) }
    entered = []
    isTooDeep = false
    enter(withoutTrailingSlashes(path), FolderIdentity(status), depth: 0)
  }

  private mutating func enter(_ folder: String, _ identity: FolderIdentity, depth: Int) {
    guard mayRead(folder), !isFull, entered.insert(identity).inserted else { return }
    let edgeBefore = edge
    defer { edge = edgeBefore }
    if media.contains(folder) { edge = MediumEdge(folder) }
    guard depth < limits.depth else {
      if !isTooDeep {
        cannotPlay(
          folder, "is \(depth) folders deep; folders at this depth are skipped", .folder)
      }
      isTooDeep = true
      return
    }
    let folders = readFiles(of: folder)
    let bytes = folders.reduce(0) { $0 + $1.bytes }
    nameBytes += bytes
    defer { nameBytes -= bytes }
    for subfolder in folders where !isFull && !summary.wasStopped {
      let wasLinked = isLinked
      isLinked = isLinked || subfolder.isLink
      enter(folder + "/" + subfolder.name, subfolder.identity, depth: depth + 1)
      isLinked = wasLinked
    }
  }

  /// Reads the files of a folder. Returns the folders in it.
  private mutating func readFiles(of folder: String) -> [Subfolder] {
    let bytesBefore = nameBytes
    defer { nameBytes = bytesBefore }
    let (names, problem) = names(in: folder)

    let directory = folder + "/"
    var music: [ScannedFile] = []
    var albums = SharedAlbums(directory: directory)
    var unplayable: [(name: String, reason: String, cause: UnplayableFile.Cause)] = []
    var reasons: Set<String> = []
    var folders: [Subfolder] = []
    naming: for name in names {
      let path = directory + name
      guard mayRead(path) else {
        if summary.wasStopped { return [] }
        continue
      }
      switch Entry(path, edge, media) {
      case .folder(let identity, let isLink):
        folders.append(Subfolder(name: name, identity: identity, isLink: isLink))
      case .other: continue
      case .file(let identity, let isLink):
        if edge != nil, isLink || isLinked, !linked.insert(identity).inserted { continue }
        guard seen < limits.files else {
          isFull = true
          break naming
        }
        switch examine(name, isNamed: false, &albums) {
        case .music(let file): music.append(file)
        case .unplayable(let file):
          unplayable.append((name, reasons.insert(file.reason).memberAfterInsert, file.cause))
        case nil: break
        }
      case .outside:
        unplayable.append((name, MediumEdge.isOutside.reason, .link))
      case .unusable(let reason, let mayHideMusic):
        if mayHideMusic || MusicSuffixes.areMusic(name) {
          unplayable.append((name, reason, mayHideMusic ? .unreadable : .other))
        }
      }
    }
    let ordered = albumOrder(music)
    var packed = MusicFileList()
    for music in ordered { packed.add(music.file) }
    for (file, music) in zip(packed.take(), ordered) {
      found(.music(file, headerDamage: music.headerDamage))
    }
    for file in unplayable { cannotPlay(directory + file.name, file.reason, file.cause) }
    if let problem { cannotPlay(folder, problem, .folder) }
    if isFull { reportLimit(folder) }
    return folders
  }

  /// The names in a folder in natural order, without hidden names and the names of system folders. Hidden names include
  /// the files `._NAME` in which macOS stores the attributes of the file NAME. `problem` is the error if the folder
  /// could not be read to its end.
  private mutating func names(in folder: String) -> (names: [String], problem: String?) {
    guard let reader = FolderReader(folder) else { return ([], systemWords(errno)) }
    // Checks the opened folder again, because a link may have changed since the folder was found.
    var status = stat()
    if let edge, fstat(reader.descriptor, &status) != 0 || !edge.contains(status) {
      return ([], nil)
    }
    var keys: [NaturalKey] = []
    var problem: String?
    while mayRead(folder) {
      guard let name = reader.next() else {
        if reader.failure != 0 {
          problem = "cannot be read to its end: \(systemWords(reader.failure))"
        }
        break
      }
      guard name.utf8.first != UInt8(ascii: "."), !isSystemFolder(Array(name.utf8)) else {
        continue
      }
      let key = NaturalKey(name)
      guard nameBytes + key.bytes <= limits.nameBytes else {
        problem = "has too many files and folders; the rest of this folder is skipped"
        break
      }
      nameBytes += key.bytes
      keys.append(key)
    }
    return (keys.sorted().map(\.name), problem)
  }

  private enum Examined {
    case music(ScannedFile)
    case unplayable(UnplayableFile)
  }

  private mutating func examine(
    _ name: String, isNamed: Bool, _ albums: inout SharedAlbums
  ) -> Examined? {
    seen += 1
    let path = albums.directory + name
    do throws(DecodeError) {
      let file = try FileByteSource(path: path, access: .random, edge: edge)
      let source = CancellableSource(file) { [step, seen] in
        step(path, seen) != .stop
      }
      let header = Result { () throws(DecodeError) in
        try AudioFile.header(source, isNamed: isNamed || MusicSuffixes.areMusic(name))
      }
      if source.wasStopped {
        summary.wasStopped = true
        return nil
      }
      let read = try header.get()
      let tags = read.metadata
      summary.cutTagValues += tags.comments.cutValues
      return .music(
        ScannedFile(
          file: MusicFile(
            albums.common(artist: tags.artist, album: tags.album), fileName: name,
            title: tags.title, declaredSeconds: read.declaredSeconds, stamp: file.digest),
          headerDamage: read.damage, disc: tags.discNumber, track: tags.trackNumber))
    } catch {
      let cause = UnplayableFile.Cause(error.kind)
      guard isNamed || MusicSuffixes.isReported(name, cause) else { return nil }
      return .unplayable(UnplayableFile(path: path, reason: error.description, cause: cause))
    }
  }

  /// False if the path must be left out, or if the scan was stopped.
  private mutating func mayRead(_ path: String) -> Bool {
    guard !summary.wasStopped else { return false }
    switch step(path, seen) {
    case .read: return true
    case .skip: return false
    case .stop:
      summary.wasStopped = true
      return false
    }
  }

  private mutating func cannotPlay(
    _ path: String, _ reason: String, _ cause: UnplayableFile.Cause
  ) {
    found(.unplayable(UnplayableFile(path: path, reason: reason, cause: cause)))
  }

  private mutating func reportLimit(_ folder: String) {
    summary.wasCut = true
    cannotPlay(
      folder,
      "the limit of \(limits.files) files is reached; the rest of this folder and the folders "
        + "after it are skipped", .folder)
  }

  // MARK: Files

  /// The kind of a name in a folder: a folder, a file, or a name that the scan does not read.
  private enum Entry {
    case folder(FolderIdentity, isLink: Bool)
    case file(FolderIdentity, isLink: Bool)
    /// A link that leads out of the medium.
    case outside
    /// A link to a file or folder that the scan finds without the link, or a folder in which another medium is mounted.
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
        // A link without a target, or a circular link, is reported only if it has the name of a music file.
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

/// A file for a scan. After the scan was stopped, each read fails. This is needed because the header of a broken file
/// can require reading the whole file.
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
