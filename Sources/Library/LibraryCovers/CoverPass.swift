internal import Artwork
internal import EventLoop
internal import Files
package import LibraryDatabase
package import PictureProgram
package import SQLite

/// Makes thumbnails for a volume: for each album that was not examined yet, or whose files have changed.
///
/// Used on the scanning thread. Blocks while the medium is accessed, and while a picture is decoded.
package final class CoverPass {
  /// How a pass has ended.
  package enum Ending: Equatable, Sendable {
    /// All albums were examined.
    case complete
    /// The pass was stopped, because other work is more urgent.
    case stopped
    /// There is no room for more thumbnails.
    case full
    /// The decoder cannot be used. The text is for the log.
    case noDecoder(String)
  }

  /// What a pass has done.
  package struct Outcome: Equatable, Sendable {
    /// How the pass has ended.
    package var ending = Ending.complete
    /// Number of albums whose files were read.
    package var examined = 0
    /// Number of albums that got a thumbnail.
    package var made = 0
  }

  /// An error of one of the two databases.
  package enum Failure: Error, Equatable, Sendable {
    case library(DatabaseError)
    case covers(DatabaseError)
  }

  private let identity: String
  private let present: Set<String>
  private let reader: LibraryReader
  private let writer: CoverWriter
  private let pace: CoverPace
  private let picture: AlbumPicture
  private var outcome = Outcome()
  /// Number of albums that got a thumbnail since the last commit.
  private var uncommitted = 0
  private var lastCommit = EventClock.monotonic.now
  private var wasCommitted = false
  /// The time after which a transaction is committed, so that readers soon see new thumbnails.
  private static let commitInterval = Duration.milliseconds(500)
  /// Maximum value of ``uncommitted``. A longer transaction would make the journal large.
  private static let maximumUncommitted = 32

  /// - Parameters:
  ///   - identity: the identity of the volume. The scan of this volume must be complete.
  ///   - path: the folder of the volume, as bytes.
  ///   - isMedium: true if the volume is a medium. Then only files on this medium are read.
  ///   - present: the identities of all volumes that are present.
  package init(
    _ identity: String, path: [UInt8], isMedium: Bool = false, present: Set<String>,
    reader: LibraryReader,
    writer: CoverWriter, process: PictureProcess, pace: CoverPace
  ) {
    self.identity = identity
    self.present = present
    self.reader = reader
    self.writer = writer
    self.pace = pace
    picture = AlbumPicture(path, isMedium: isMedium, process, pace) { number in
      // An error is ignored here, because it occurs again when the thumbnail is added.
      (try? writer.hasPicture(number)) ?? false
    }
  }

  /// Works until all albums were examined, or until the work must stop. Committed thumbnails are kept after an error.
  package func run() throws(Failure) -> Outcome {
    do throws(Failure) {
      try examine()
    } catch {
      writer.rollBack()
      throw error
    }
    try covers { () throws(DatabaseError) in
      try commit()
      if wasCommitted { try writer.checkpoint() }
    }
    return outcome
  }

  private func examine() throws(Failure) {
    let found = try library { () throws(DatabaseError) in try reader.volume(identity) }
    guard let source = found else { return }
    let albums = try library { () throws(DatabaseError) in
      try reader.albums(ofVolume: source)
    }
    let volume = try covers { () throws(DatabaseError) in
      try writer.volume(identity, present: present)
    }
    // Unused thumbnails are removed first, because this makes room for new thumbnails.
    try covers { () throws(DatabaseError) in
      try writer.removeOthers(than: Set(albums), volume: volume)
    }
    var folders = LibraryReader.KnownFolders()
    for album in albums {
      guard pace.continues() else {
        outcome.ending = .stopped
        return
      }
      let files = try library { () throws(DatabaseError) in
        try reader.files(
          ofAlbum: album, volume: source, maximumName: FolderImages.maximumNameBytes,
          known: &folders)
      }
      try covers { () throws(DatabaseError) in try examine(album, files, volume) }
      if outcome.ending != .complete { return }
    }
  }

  private func examine(
    _ album: Int64, _ files: AlbumFiles, _ volume: Int64
  ) throws(DatabaseError) {
    let stamp = Self.stamp(of: files)
    if try writer.stamp(ofAlbum: album, volume: volume) == stamp { return }
    // If there is no room for the thumbnail, no file is read.
    guard try writer.makeRoom(present: present) else {
      outcome.ending = .full
      return
    }
    outcome.examined += 1
    switch picture.find(files) {
    case .found(let number, let bytes):
      if let bytes { try writer.add(bytes, of: number) }
      try writer.set(number, ofAlbum: album, volume: volume, stamp: stamp)
      outcome.made += 1
      uncommitted += 1
    case .none: try writer.set(0, ofAlbum: album, volume: volume, stamp: stamp)
    case .unread: break
    case .stopped: outcome.ending = .stopped
    case .noDecoder(let text): outcome.ending = .noDecoder(text)
    }
    if uncommitted >= Self.maximumUncommitted
      || Duration.nanoseconds(EventClock.monotonic.now - lastCommit) >= Self.commitInterval
    {
      try commit()
    }
  }

  private func commit() throws(DatabaseError) {
    try writer.commit()
    lastCommit = EventClock.monotonic.now
    guard uncommitted > 0 else { return }
    uncommitted = 0
    wasCommitted = true
    pace.committed()
  }

  /// A number that changes when a file that can contain the cover changes.
  private static func stamp(of files: AlbumFiles) -> Int64 {
    let parts = (files.tracks + AlbumPicture.pictureFiles(files)).flatMap { file in
      let stamp = file.stamp
      return [file.path, Array("\(stamp.size) \(stamp.seconds) \(stamp.nanoseconds)".utf8)]
    }
    return ContentID.of(parts)
  }

  private func library<Value>(
    _ body: () throws(DatabaseError) -> Value
  ) throws(Failure) -> Value {
    do throws(DatabaseError) { return try body() } catch { throw .library(error) }
  }

  private func covers<Value>(
    _ body: () throws(DatabaseError) -> Value
  ) throws(Failure) -> Value {
    do throws(DatabaseError) { return try body() } catch { throw .covers(error) }
  }
}
