internal import AudioCodecs
internal import FileReading
internal import Files
internal import LibraryDatabase
internal import LibraryModel
internal import MusicFiles
internal import PlaylistFiles
internal import SQLite

// The second part of a scan: reads the tags of new and changed files.
extension VolumeScan {
  /// Reads the files of the volume, folder by folder in the order in which lists show the folders.
  func readTags(_ root: Int64, volume: Int64) throws(DatabaseError) {
    try readTags(volume: volume, in: Folder(id: root, path: self.volume.path, albumFolder: root))
  }

  private struct Folder {
    let id: Int64
    let path: [UInt8]
    /// The folder to which the albums of the tracks belong: this folder, or its parent if this folder contains one disc
    /// of an album.
    let albumFolder: Int64
  }

  /// Reads the preferred folder of the options. Returns false if no folder of this volume is preferred.
  func readPreferredFolder(_ root: Int64, volume: Int64) throws(DatabaseError) -> Bool {
    guard options.preferredFolder.starts(with: self.volume.path + [UInt8(ascii: "/")]) else {
      return false
    }
    try readEarly(options.preferredFolder, root, volume: volume)
    return true
  }

  /// Reads the files of a folder before all other files, but not the files of its subfolders. Adds missing parent
  /// folders to the library.
  /// - Parameter maximum: the maximum number of files to read.
  func readEarly(
    _ folder: [UInt8], _ root: Int64, volume: Int64, atMost maximum: Int = .max
  ) throws(DatabaseError) {
    let slash = UInt8(ascii: "/")
    let names = folder.dropFirst(self.volume.path.count).split(separator: slash)
    guard !names.isEmpty, names.count <= limits.depth, !names.contains([0x2E, 0x2E]) else { return }
    var folder = Folder(id: root, path: self.volume.path, albumFolder: root)
    var found: FolderListing?
    for name in names.map({ Array($0) }) {
      let stored = try writer.folders(in: folder.id).first { $0.name == name }
      let path = folder.path + [slash] + name
      if options.otherVolumes.contains(path) { return }
      let id: Int64
      if let stored {
        willRead(.folder(path))
        let target = edge?.target(of: path)
        willRead(.none)
        if target == .outside { return }
        found = nil
        id = stored.id
      } else {
        // A new folder is added only if it can be read.
        let listing = listing(path)
        if listing.isOutside || !listing.isComplete { return }
        found = listing
        id = try writer.addFolder(name, in: folder.id, volume: volume)
      }
      let albumFolder = LibraryWriter.isDisc(name) ? folder.id : id
      folder = Folder(id: id, path: path, albumFolder: albumFolder)
    }
    try compareFiles(found ?? listing(folder.path), folder.id)
    goneFiles = []
    try readFiles(volume: volume, in: folder, atMost: maximum)
    try commit()
    forgetNumbers()
  }

  private func readTags(volume: Int64, in folder: Folder) throws(DatabaseError) {
    try readFiles(volume: volume, in: folder)
    if !continuesToEnd { return }
    for child in try writer.orderedFolders(in: folder.id) {
      let albumFolder = LibraryWriter.isDisc(child.name) ? folder.id : child.id
      try readTags(
        volume: volume,
        in: Folder(
          id: child.id, path: folder.path + [UInt8(ascii: "/")] + child.name,
          albumFolder: albumFolder))
      if !continuesToEnd { return }
    }
  }

  private func readFiles(
    volume: Int64, in folder: Folder, atMost maximum: Int = .max
  ) throws(DatabaseError) {
    for file in try writer.unreadFiles(in: folder.id).prefix(maximum) {
      guard continues() else { return }
      let examined = LibraryWriter.ExaminedFile(
        id: file.id, name: file.name, albumFolder: folder.albumFolder, volume: volume,
        isNew: file.isNew)
      try read(examined, folder.path + [UInt8(ascii: "/")] + file.name, file.stamp)
      if !continuesToEnd { return }
      try noteRead()
    }
  }

  private func read(
    _ file: LibraryWriter.ExaminedFile, _ path: [UInt8], _ stamp: FileStamp
  ) throws(DatabaseError) {
    switch reading(path, stamp) {
    case .usual: break
    case .risky: try commit()
    case .refused:
      return try writer.setProblem(
        file.id, "autoharp-library crashed or was killed twice while it read this file",
        cause: UnplayableFile.Cause.other.word)
    }
    willRead(.file(path, stamp))
    if Self.isPlaylist(file.name) { return try readPlaylist(file, path, size: stamp.size) }
    let header: AudioFile.Header
    do throws(DecodeError) {
      header = try AudioFile.header(
        FileByteSource(scanned: path, edge: edge), isNamed: isNamedAsMusic(file.name))
    } catch {
      return try noteFailure(error, file)
    }
    try writer.setMusic(
      file, TagReading.tags(of: header.metadata),
      TrackFacts(
        codec: header.codec.rawValue, milliseconds: Self.milliseconds(header.declaredSeconds),
        audio: SoundIdentity.of(header)))
  }

  /// The duration in milliseconds. 0 if it is not known. A header can contain any number. A duration of a year or more
  /// counts as not known, so that sums do not overflow.
  static func milliseconds(_ seconds: Double?) -> Int64 {
    guard let seconds, seconds > 0, seconds < 366 * 86_400 else { return 0 }
    return Int64(seconds * 1000)
  }

  private static func isPlaylist(_ name: [UInt8]) -> Bool {
    let suffix = name.suffix(5).map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    return suffix.suffix(4).elementsEqual(".m3u".utf8) || suffix.elementsEqual(".m3u8".utf8)
  }

  private func readPlaylist(
    _ file: LibraryWriter.ExaminedFile, _ path: [UInt8], size: Int64
  ) throws(DatabaseError) {
    guard size <= Int64(M3UPlaylist.maximumBytes) else {
      return try writer.setProblem(
        file.id, "the playlist is larger than 4 MB", cause: UnplayableFile.Cause.other.word)
    }
    let bytes: FileByteSource
    do throws(DecodeError) {
      bytes = try FileByteSource(scanned: path, edge: edge)
    } catch {
      return try noteFailure(error, file)
    }
    guard let playlist = try? M3UPlaylist(bytes) else {
      // The file stays unread, so the next scan reads it again.
      if !isPresent { result.ending = .lost }
      return
    }
    if try writer.setPlaylist(file, playlist) { return }
    try writer.setProblem(
      file.id, "the playlists of this volume have more than \(writer.maximumEntries) entries",
      cause: UnplayableFile.Cause.other.word)
  }

  private func noteFailure(
    _ error: DecodeError, _ file: LibraryWriter.ExaminedFile
  ) throws(DatabaseError) {
    if [.unreadable, .missingFile].contains(error.kind) {
      // If the stick was pulled out, each read fails, so the scan ends. Otherwise only this file stays unread, and the
      // next scan reads it again. Until then its track is kept.
      if !isPresent { result.ending = .lost }
      return
    }
    if isReportedAsMusic(file.name, error.kind) {
      try writer.setProblem(
        file.id, error.description, cause: UnplayableFile.Cause(error.kind).word)
    } else {
      try writer.setOther(file.id)
    }
  }
}
