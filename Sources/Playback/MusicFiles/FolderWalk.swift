internal import AudioCodecs
internal import Files
internal import Glibc
internal import Threads

/// One scan of files and folders.
struct FolderWalk {
  private static let musicSuffixes = [".flac", ".oga", ".ogg"]

  private(set) var summary = MusicScan.Summary()

  private let limits: MusicScan.Limits
  private let progress: (Int) -> Bool
  private let found: (MusicScan.Finding) -> Void
  private var seen = 0
  private var isFull = false
  private var isTooDeep = false
  /// Folders that were entered below the present named path. A folder is entered only once, so a
  /// circular link cannot cause an endless scan.
  private var entered: Set<FolderIdentity> = []

  private struct FolderIdentity: Hashable {
    let device: UInt
    let inode: UInt
  }

  init(
    limits: MusicScan.Limits, progress: @escaping (Int) -> Bool,
    found: @escaping (MusicScan.Finding) -> Void
  ) {
    self.limits = limits
    self.progress = progress
    self.found = found
  }

  /// Scans a path that the user named.
  mutating func scan(_ path: String) {
    guard shouldContinue() else { return }
    var status = stat()
    guard stat(FileName.cString(path), &status) == 0 else {
      return cannotPlay(path, systemWords(errno))
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      let name = lastComponent(path)
      let directory = String(trimmed(path).dropLast(name.count))
      var texts = SharedTexts()
      switch examine(directory, name, isNamed: true, &texts) {
      case .music(let music): found(.music(music.file, headerDamage: music.headerDamage))
      case .unplayable(let file): found(.unplayable(file))
      case nil: break
      }
      return
    }
    if isFull { return reportLimit(path) }
    entered = []
    isTooDeep = false
    enter(trimmed(path), status, depth: 0)
  }

  private mutating func enter(_ folder: String, _ status: stat, depth: Int) {
    let identity = FolderIdentity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    guard shouldContinue(), !isFull, entered.insert(identity).inserted else { return }
    guard depth < limits.depth else {
      if !isTooDeep {
        cannotPlay(
          folder, "is \(depth) folders deep; folders at this depth are skipped")
      }
      isTooDeep = true
      return
    }
    let (names, problem) = names(in: folder)

    var music: [ScannedFile] = []
    var texts = SharedTexts()
    let directory = folder + "/"
    var unplayable: [UnplayableFile] = []
    var folders: [(path: String, status: stat)] = []
    naming: for name in names {
      guard shouldContinue() else { return }
      let path = directory + name
      switch Entry(path) {
      case .folder(let status):
        folders.append((path, status))
      case .file:
        guard seen < limits.files else {
          isFull = true
          break naming
        }
        switch examine(directory, name, isNamed: false, &texts) {
        case .music(let file): music.append(file)
        case .unplayable(let file): unplayable.append(file)
        case nil: break
        }
      case .unusable(let reason, let mayHideMusic):
        if mayHideMusic || hasMusicSuffix(name) {
          unplayable.append(UnplayableFile(path: path, reason: reason))
        }
      }
    }
    for music in albumOrder(music) {
      found(.music(music.file, headerDamage: music.headerDamage))
    }
    for file in unplayable { found(.unplayable(file)) }
    if let problem { cannotPlay(folder, problem) }
    if isFull { return reportLimit(folder) }
    for (path, status) in folders { enter(path, status, depth: depth + 1) }
  }

  /// The kind of a name in a folder.
  private enum Entry {
    case folder(stat)
    case file
    case unusable(reason: String, mayHideMusic: Bool)

    init(_ path: String) {
      var status = stat()
      guard stat(FileName.cString(path), &status) == 0 else {
        let code = errno
        // A link without a target, or a circular link, is reported only if its name is that of a
        // music file.
        self = .unusable(
          reason: systemWords(code), mayHideMusic: code != ENOENT && code != ELOOP)
        return
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: self = .folder(status)
      case S_IFREG: self = .file
      default: self = .unusable(reason: "is not a regular file", mayHideMusic: false)
      }
    }
  }

  /// The names in a folder in natural order, without hidden names. `problem` is the error if the
  /// folder could not be read to its end.
  private mutating func names(in folder: String) -> (names: [String], problem: String?) {
    guard let reader = FolderReader(folder) else { return ([], systemWords(errno)) }
    var keys: [NaturalKey] = []
    var problem: String?
    while shouldContinue() {
      guard let name = reader.next() else {
        if reader.failure != 0 {
          problem = "cannot be read to its end: \(systemWords(reader.failure))"
        }
        break
      }
      if !name.hasPrefix(".") { keys.append(NaturalKey(name)) }
    }
    return (keys.sorted().map(\.name), problem)
  }

  private enum Examined {
    case music(ScannedFile)
    case unplayable(UnplayableFile)
  }

  private mutating func examine(
    _ directory: String, _ name: String, isNamed: Bool, _ texts: inout SharedTexts
  ) -> Examined? {
    guard shouldContinue() else { return nil }
    seen += 1
    let path = directory + name
    do throws(DecodeError) {
      let source = CancellableSource(
        try FileByteSource(path: path, access: .random), seen, progress)
      let header = Result { () throws(DecodeError) in try AudioFile.header(source) }
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
            directory: directory, fileName: name, title: tags.title,
            artist: tags.artist.map { texts.shared($0) },
            album: tags.album.map { texts.shared($0) }, declaredSeconds: read.declaredSeconds),
          headerDamage: read.damage, disc: tags.discNumber, track: tags.trackNumber))
    } catch {
      guard isNamed || hasMusicSuffix(name) else { return nil }
      return .unplayable(UnplayableFile(path: path, reason: error.description))
    }
  }

  private mutating func shouldContinue() -> Bool {
    if !summary.wasStopped, !progress(seen) { summary.wasStopped = true }
    return !summary.wasStopped
  }

  private func hasMusicSuffix(_ name: String) -> Bool {
    let name = name.lowercased()
    return Self.musicSuffixes.contains { name.hasSuffix($0) }
  }

  private mutating func cannotPlay(_ path: String, _ reason: String) {
    found(.unplayable(UnplayableFile(path: path, reason: reason)))
  }

  private mutating func reportLimit(_ folder: String) {
    cannotPlay(
      folder,
      "the limit of \(limits.files) files is reached; the rest of this folder and the folders "
        + "after it are skipped")
  }
}

/// The texts that the files of one folder share: equal texts are stored once.
private struct SharedTexts {
  private var texts: Set<String> = []

  mutating func shared(_ text: String) -> String { texts.insert(text).memberAfterInsert }
}

/// A file whose reads fail after its scan was stopped. Reading a header usually takes a few reads,
/// but the header of a broken file may require reading the whole file.
private final class CancellableSource: ByteSource {
  private let file: FileByteSource
  private let seen: Int
  private let progress: (Int) -> Bool
  private(set) var wasStopped = false

  init(_ file: FileByteSource, _ seen: Int, _ progress: @escaping (Int) -> Bool) {
    self.file = file
    self.seen = seen
    self.progress = progress
  }

  var size: Int64 { file.size }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    if !wasStopped, !progress(seen) { wasStopped = true }
    guard !wasStopped else {
      throw ByteSourceError(offset: offset, code: ECANCELED, reason: systemWords(ECANCELED))
    }
    return try file.read(at: offset, into: buffer)
  }
}
