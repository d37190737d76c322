internal import AudioCodecs
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
  /// The folders that were entered since the scan of the latest named path began. A folder is
  /// entered only once, so a circular link cannot cause an endless scan.
  private var entered: Set<FolderIdentity> = []

  /// An estimate of the memory for the names of the folders that are open at present, in bytes.
  private var nameBytes = 0

  private struct Subfolder {
    let name: String
    let identity: FolderIdentity

    /// An estimate of the memory of this value: the text, and 64 bytes for the values and their
    /// allocation.
    var bytes: Int { name.utf8.count + 64 }
  }

  init(
    limits: MusicScan.Limits, step: @escaping (String, Int) -> MusicScan.Step,
    found: @escaping (MusicScan.Finding) -> Void
  ) {
    self.limits = limits
    self.step = step
    self.found = found
  }

  /// Scans a path that the user named.
  mutating func scan(_ path: String) {
    guard mayRead(path) else { return }
    var status = stat()
    guard stat(FileName.cString(path), &status) == 0 else {
      return cannotPlay(path, systemWords(errno), .folder)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      let name = lastComponent(path)
      let directory = String(Substring(trimmed(path).utf8.dropLast(name.utf8.count)))
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
    enter(trimmed(path), FolderIdentity(status), depth: 0)
  }

  private mutating func enter(_ folder: String, _ identity: FolderIdentity, depth: Int) {
    guard mayRead(folder), !isFull, entered.insert(identity).inserted else { return }
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
      enter(folder + "/" + subfolder.name, subfolder.identity, depth: depth + 1)
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
      switch Entry(path) {
      case .folder(let identity):
        folders.append(Subfolder(name: name, identity: identity))
      case .file:
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

  /// What a name in a folder leads to.
  private enum Entry {
    case folder(FolderIdentity)
    case file
    case unusable(reason: String, mayHideMusic: Bool)

    init(_ path: String) {
      var status = stat()
      guard stat(FileName.cString(path), &status) == 0 else {
        let code = errno
        // A link without a target, or a circular link, is reported only if it has the name of a
        // music file.
        self = .unusable(
          reason: systemWords(code), mayHideMusic: code != ENOENT && code != ELOOP)
        return
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: self = .folder(FolderIdentity(status))
      case S_IFREG: self = .file
      default: self = .unusable(reason: "is not a regular file", mayHideMusic: false)
      }
    }
  }

  /// The names in a folder in natural order, without hidden names and the names of system folders.
  /// A hidden name may also be the copy `._NAME` that macOS makes for its attributes of NAME.
  /// `problem` is the error if the folder could not be read to its end.
  private mutating func names(in folder: String) -> (names: [String], problem: String?) {
    guard let reader = FolderReader(folder) else { return ([], systemWords(errno)) }
    var keys: [NaturalKey] = []
    var problem: String?
    while mayRead(folder) {
      guard let name = reader.next() else {
        if reader.failure != 0 {
          problem = "cannot be read to its end: \(systemWords(reader.failure))"
        }
        break
      }
      guard name.utf8.first != UInt8(ascii: "."), !systemFolders.contains(name) else { continue }
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
      let file = try FileByteSource(path: path, access: .random)
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
}

/// The values that the files of one folder share. Each pair of artist and album is stored once.
private struct SharedAlbums {
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
private final class CancellableSource: ByteSource {
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
