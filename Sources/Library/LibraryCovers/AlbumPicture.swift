internal import Artwork
internal import Files
internal import Glibc
internal import LibraryDatabase
internal import PictureExchange
internal import PictureProgram

/// Finds the picture of an album and makes its thumbnail, in the program `autoharp-cover`.
///
/// Each picture is first copied to memory and then decoded. So it is read from its medium only once, also if the
/// decoder is stopped and started again. And the removal of a medium is not mistaken for a damaged picture.
final class AlbumPicture {
  enum Result: Equatable {
    /// A picture was found. `bytes` is its thumbnail; nil if the caller already has this thumbnail.
    case found(picture: Int64, bytes: [UInt8]?)
    /// No file of the album has a picture that can be shown.
    case none
    /// A file could not be read, so a later attempt can find a picture.
    case unread
    /// The caller has stopped the work.
    case stopped
    /// The decoder cannot be used. The text is for the log.
    case noDecoder(String)
  }

  /// Side of a thumbnail, in pixels.
  static let side = 160
  /// Maximum number of pictures that are decoded for one album. A picture on which the decoder hangs takes 20 s.
  private static let maximumDecodings = 4

  private let root: [UInt8]
  private let isMedium: Bool
  private let process: PictureProcess
  private let pace: CoverPace
  private let isKnown: (Int64) -> Bool
  private var result = Result.none
  private var decodings = 0
  /// Pictures that the decoder cannot decode.
  private var refused: Set<Int64> = []
  /// The id of the picture in each picture file that was read recently; 0 if the file has no usable picture. Albums in
  /// one folder share these files, so the files are not read again for each album.
  private var files: [AlbumFiles.File.ID: Int64] = [:]
  private static let maximumKnown = 64

  /// - Parameters:
  ///   - root: the path of the volume.
  ///   - isMedium: true if the volume is a medium. Then only files on this medium are read.
  ///   - isKnown: returns true if the caller already has the thumbnail of a picture.
  init(
    _ root: [UInt8], isMedium: Bool, _ process: PictureProcess, _ pace: CoverPace,
    isKnown: @escaping (Int64) -> Bool
  ) {
    self.root = root
    self.isMedium = isMedium
    self.process = process
    self.pace = pace
    self.isKnown = isKnown
  }

  /// The picture files in ``AlbumFiles/others``, best first.
  static func pictureFiles(_ files: AlbumFiles) -> [AlbumFiles.File] {
    // The files in the folder of the first track come before the files in its parent folder.
    var folders: [[UInt8]] = []
    var names: [[UInt8]: FolderImages] = [:]
    var found: [String: AlbumFiles.File] = [:]
    for file in files.others {
      let slash = file.path.lastIndex(of: UInt8(ascii: "/")) ?? 0
      let folder = Array(file.path[..<slash])
      if names[folder] == nil { folders.append(folder) }
      names[folder, default: FolderImages()].add(FileName.text(file.path[(slash + 1)...]))
      found[FileName.text(file.path)] = file
    }
    return folders.flatMap { folder in
      (names[folder]?.inOrder ?? []).compactMap { found[FileName.text(folder) + "/" + $0] }
    }
  }

  /// Searches for the picture of an album: in the first track, then in the folder of this track, then in the next
  /// tracks.
  func find(_ album: AlbumFiles) -> Result {
    result = .none
    decodings = 0
    var isUnread = false
    let candidates = CoverCandidates(
      medium: isMedium ? root : nil, shouldContinue: pace.continues)
    func ends(_ ending: CoverCandidates.Ending) -> Bool {
      if ending == .unread {
        isUnread = true
        if !pace.continues() { result = .stopped }
      }
      return result != .none
    }
    func isInTrack(_ track: AlbumFiles.File) -> Bool {
      guard let path = path(of: track) else { return false }
      return ends(candidates.inFile(path, use: use))
    }
    if let first = album.tracks.first, isInTrack(first) { return result }
    for file in Self.pictureFiles(album) {
      if let known = files[file.id] {
        if known == 0 { continue }
        if isKnown(known) { return .found(picture: known, bytes: nil) }
      }
      guard let path = path(of: file) else { continue }
      let ending = candidates.inPictureFile(path, use: use)
      note(file, ending)
      if ends(ending) { return result }
    }
    for track in album.tracks.dropFirst() where isInTrack(track) { return result }
    return isUnread ? .unread : .none
  }

  /// Nil if the file must not be read.
  private func path(of file: AlbumFiles.File) -> String? {
    pace.mayRead(file) ? FileName.text(root + file.path) : nil
  }

  private func note(_ file: AlbumFiles.File, _ ending: CoverCandidates.Ending) {
    if files.count >= Self.maximumKnown { files = [:] }
    switch (ending, result) {
    case (.used, .found(let picture, _)): files[file.id] = picture
    case (.exhausted, .none): files[file.id] = 0
    default: break
    }
  }

  /// Uses a picture. Returns true if no further picture is needed; ``result`` is then the reason.
  private func use(_ candidate: CandidatePicture) -> Bool {
    guard decodings < Self.maximumDecodings else { return true }
    guard let memory = PictureFile.createEmpty() else {
      result = .unread
      return true
    }
    defer { close(memory) }
    var hasMemory = true
    let key = candidate.read { piece in
      hasMemory = PictureFile.append(piece, to: memory)
      return hasMemory
    }
    guard hasMemory, key == nil || PictureFile.fix(memory) else {
      result = .unread
      return true
    }
    guard let key else { return false }
    // The number 0 is reserved for "no picture".
    let picture = max(1, key.number)
    if isKnown(picture) {
      result = .found(picture: picture, bytes: nil)
      return true
    }
    if refused.contains(picture) { return false }
    decodings += 1
    return decode(memory, picture)
  }

  private func decode(_ memory: Int32, _ picture: Int64) -> Bool {
    while true {
      guard pace.continues() else {
        result = .stopped
        return true
      }
      do throws(PictureFailure) {
        let thumbnail = try process.thumbnail(
          memory, side: Self.side, unless: pace.interruption)
        result = .found(picture: picture, bytes: thumbnail)
        return true
      } catch {
        switch error {
        case .interrupted: continue
        case .unknownFormat, .tooLarge, .damaged, .tookTooLong, .crashed:
          if refused.count >= Self.maximumKnown { refused = [] }
          refused.insert(picture)
          return false
        case .unreadable, .tooMany: result = .unread
        case .ended, .notStarted: result = .noDecoder("\(error)")
        }
        return true
      }
    }
  }
}

extension AlbumFiles.File: Identifiable {
  struct ID: Hashable {
    let path: [UInt8]
    let stamp: FileStamp
  }

  var id: ID { ID(path: path, stamp: stamp) }
}
