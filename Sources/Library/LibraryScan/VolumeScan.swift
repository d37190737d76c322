internal import FileReading
package import Files
internal import Glibc
package import LibraryDatabase
package import LibraryModel
internal import MusicFiles
public import SQLite
internal import Threads

/// Updates the library from the files of one volume.
///
/// A scan first reads the names of all folders and files, so that the user can soon browse the folders. If the volume
/// is new, the folders of the upper two levels and the first album are read before all other folders. Then the scan
/// reads the tags of new and changed files. A file or folder is removed from the library only if its parent folder
/// could be read to the end. So an error of the medium removes nothing.
///
/// Used on one thread. Blocks while it waits for the medium.
public final class VolumeScan {
  /// The progress of a scan.
  public struct Progress: Equatable, Sendable {
    /// Number of files that were found.
    public var files = 0
    /// Number of files that were read.
    public var read = 0
    /// Number of files that must be read. It grows while names are read.
    public var unread = 0
  }

  /// How a scan has ended.
  public enum Ending: Equatable, Sendable {
    /// The library matches the volume.
    case complete
    /// The caller has stopped the scan.
    case stopped
    /// The volume cannot be read any more, for example because the stick was pulled out.
    case lost
    /// The volume has no files, or does not exist. Nothing was removed, because the mount point of a missing stick is
    /// empty, too.
    case empty
    /// The library already has the maximum number of volumes.
    case tooManyVolumes
  }

  /// The result of a scan.
  public struct Result: Equatable, Sendable {
    /// How the scan has ended.
    public var ending: Ending
    /// Number of files in the volume that were examined.
    public var files = 0
    /// Number of files that were read.
    public var read = 0
    /// Number of files and folders that were removed from the library.
    public var removed = 0
    /// True if the volume has more files or deeper folders than the limits permit.
    public var wasCut = false
  }

  /// The options of a scan.
  public struct Options: Sendable {
    /// The folder that is read first, for example because a file in it is playing. Empty if no folder is preferred.
    public var preferredFolder: [UInt8] = []
    /// Paths of folders that are other volumes. The scan leaves them out.
    public var otherVolumes: Set<[UInt8]> = []
    /// Creates the default options.
    public init() {}
  }

  /// The current access of a scan to the medium.
  package enum Access: Equatable, Sendable {
    /// The names in the folder with this path are read. Paths are bytes.
    case folder([UInt8])
    /// A file is read.
    case file([UInt8], FileStamp)
    /// No access. The scan uses only the database, which can take long.
    case none
  }

  /// How a file must be read.
  package enum Reading: Sendable {
    case usual
    /// The program crashed or was killed once while it read the file. The results so far must be committed before the
    /// file is read again.
    case risky
    /// The file must not be read, because the program crashed or was killed twice while it read the file. The library
    /// lists the file as a file that cannot be played.
    case refused
  }

  /// The limits for a volume. They are needed, because a stick can contain any number of files and folders.
  struct Limits {
    var files = 100_000
    var depth = 64
    /// Maximum memory, in bytes, of the names in a folder and in all folders above it together.
    var nameBytes = FolderListing.maximumNameBytes
    /// If at least this number of files is unread, the words of songs are added to the index at the end of the scan.
    var bulk = 1000
  }

  let writer: LibraryWriter
  let volume: LibraryVolume
  let options: Options
  let limits: Limits
  var shift: ClockShift
  private let report: (Progress) -> Bool
  /// Returns how a file must be read.
  let reading: ([UInt8], FileStamp) -> Reading
  /// Called before each access to the medium, and before long work without the medium.
  let willRead: (Access) -> Void
  /// Called with the path and the depth of each folder before its names are read. The depth of the root is 0.
  let willList: ([UInt8], _ depth: Int) -> Void
  private var clock: CommitClock
  var result = Result(ending: .complete)
  private var progress = Progress()
  /// The folders that were entered. Each folder is entered only once, so a cycle of links cannot cause an endless scan.
  var entered: Set<FolderIdentity> = []
  /// The edge of the medium, which tells whether a path is on the medium. Nil if the volume is not a medium.
  private(set) var edge: MediumEdge?
  /// True in a folder that was entered through a link.
  var isLinked = false
  /// The files of the medium that were found through links.
  private var linkedFiles: Set<FolderIdentity> = []
  /// The identity of the folder of the volume. Nil until the names in this folder were read.
  var root: FolderIdentity?
  /// The memory, in bytes, of the names of folders in the current folder and in the folders above it.
  private var openNameBytes = 0
  /// Files and folders that do not exist any more. They are removed from the library at the end of the scan, so that a
  /// moved file is recognised.
  var goneFiles: [Int64] = []
  private var goneFolders: [Int64] = []

  /// - Parameters:
  ///   - writer: must not have an open transaction.
  ///   - reading: returns how a file must be read.
  ///   - willRead: called before each access to the medium, and before long work without the medium.
  ///   - willList: called with the path and the depth of each folder before its names are compared with the library.
  ///     The depth of the root is 0.
  ///   - report: called before each folder and each file. If it returns false, the scan stops.
  package convenience init(
    _ volume: LibraryVolume, into writer: LibraryWriter, options: Options = Options(),
    reading: @escaping ([UInt8], FileStamp) -> Reading = { _, _ in .usual },
    willRead: @escaping (Access) -> Void = { _ in },
    willList: @escaping ([UInt8], _ depth: Int) -> Void = { _, _ in },
    report: @escaping (Progress) -> Bool = { _ in true }
  ) {
    self.init(
      volume, into: writer, options: options, limits: Limits(), reading: reading,
      willRead: willRead, willList: willList, report: report)
  }

  init(
    _ volume: LibraryVolume, into writer: LibraryWriter, options: Options = Options(),
    limits: Limits, reading: @escaping ([UInt8], FileStamp) -> Reading = { _, _ in .usual },
    willRead: @escaping (Access) -> Void = { _ in },
    willList: @escaping ([UInt8], _ depth: Int) -> Void = { _, _ in },
    report: @escaping (Progress) -> Bool = { _ in true }
  ) {
    shift = ClockShift(isPossible: volume.storesLocalTime)
    self.writer = writer
    self.volume = volume
    self.options = options
    self.limits = limits
    self.reading = reading
    self.willRead = willRead
    self.willList = willList
    self.report = report
    clock = CommitClock()
  }

  /// Scans the volume. If the database fails, the changes that were not committed are dropped.
  public func run() throws(DatabaseError) -> Result {
    do {
      try writer.begin()
      try scan()
      willRead(.none)
      try writer.commit()
    } catch {
      writer.rollBack()
      throw error
    }
    return result
  }

  private func scan() throws(DatabaseError) {
    guard let id = try writer.volume(identity: volume.identity, label: volume.label) else {
      result.ending = .tooManyVolumes
      return
    }
    if volume.isMedium {
      willRead(.folder(volume.path))
      edge = MediumEdge(volume.path)
      willRead(.none)
    }
    let root = try writer.root(of: id, shown: volume.label)
    let isFirst = try writer.folders(in: root).isEmpty
    let hasPreferred = try readPreferredFolder(root, volume: id)
    if isFirst { try readUpperFolders(root, volume: id, album: !hasPreferred) }
    try readNames(volume.path, folder: root, volume: id, depth: 0)
    try commit()
    writer.isBulk = progress.unread >= limits.bulk
    // A new clock begins with a short interval, so the first albums are committed soon after the names.
    clock = CommitClock()
    if continuesToEnd, progress.unread > 0 { try readTags(root, volume: id) }
    if continuesToEnd { try removeGone() }
    if result.ending == .stopped { return }
    try commit()
    // With 100 000 songs, `finish()` takes half a minute on a slow board, so the tracks are committed first.
    try writer.finish()
  }

  private func removeGone() throws(DatabaseError) {
    if goneFiles.isEmpty, goneFolders.isEmpty { return }
    guard isPresent else {
      result.ending = .lost
      return
    }
    // A new file can be a missing file that was moved. The commit groups new files into albums. An album of moved files
    // is recognised by its old files, so the missing files are removed only after the commit.
    try commit()
    for file in goneFiles { try writer.removeFile(file) }
    for folder in goneFolders { try writer.removeFolder(folder) }
    result.removed = goneFiles.count + goneFolders.count
  }

  /// False if the scan was stopped, or if the volume cannot be read any more.
  var continuesToEnd: Bool { result.ending == .complete }

  // MARK: Pacing

  /// Call this before each folder and each file. Returns false if the scan must stop.
  func continues() -> Bool {
    if continuesToEnd, !report(progress) { result.ending = .stopped }
    return continuesToEnd
  }

  /// Call this after `result.files` has changed.
  func noteFile() { progress.files = result.files }

  /// Call this for each file that must be read.
  private func noteUnread() { progress.unread += 1 }

  /// Resets the counts. The files of a folder that was read early are counted later with all other files.
  func forgetNumbers() {
    progress = Progress()
    result.files = 0
    linkedFiles = []
  }

  /// Call this after each file. Commits from time to time, so that readers see the results, and so that a power cut
  /// does not destroy all results.
  func noteRead() throws(DatabaseError) {
    result.read += 1
    progress.read += 1
    if isCommitDue || writer.isLarge { try commit() }
  }

  /// True if enough time has passed since the last commit.
  private var isCommitDue: Bool { clock.isDue() }

  func commit() throws(DatabaseError) {
    willRead(.none)
    try writer.commit()
    try writer.begin()
    clock.restart()
  }

  /// True if the volume is still present. After a stick was pulled out, its mount point is empty, or is a folder of
  /// another file system. If only the last file in the folder was deleted, the identity of the folder is still the
  /// same, so the volume counts as present.
  var isPresent: Bool {
    willRead(.folder(volume.path))
    guard let reader = FolderReader(bytes: volume.path) else { return false }
    var status = stat()
    guard fstat(reader.descriptor, &status) == 0 else { return false }
    while let name = reader.nextBytes() {
      if name != [0x2E], name != [0x2E, 0x2E] { return true }
    }
    return reader.failure == 0 && root == FolderIdentity(status)
  }
}

/// Decides when the next transaction is committed. The first commits follow soon, so that readers see the first albums.
/// Later commits are less frequent, because each transaction writes some pages again.
private struct CommitClock {
  private var last = MonotonicClock.nanoseconds
  private var interval: Int64 = 500_000_000

  func isDue() -> Bool { MonotonicClock.nanoseconds - last >= interval }

  mutating func restart() {
    last = MonotonicClock.nanoseconds
    interval = min(interval * 2, 5_000_000_000)
  }
}

// The beginning of the first scan of a volume.
extension VolumeScan {
  /// Adds the folders of the upper two levels, so that the user can open them within a second. The complete listing
  /// follows. It takes longer because it examines each file, and it also finds links to folders.
  /// - Parameter album: true to read files of the first folder, too, so that an album can be played soon.
  private func readUpperFolders(_ root: Int64, volume: Int64, album: Bool) throws(DatabaseError) {
    var room = Self.maximumUpperFolders
    try addFolders(root, self.volume.path, volume, &room)
    try commit()
    for (number, folder) in try writer.orderedFolders(in: root).enumerated() {
      guard room > 0, continuesToEnd else { break }
      let path = self.volume.path + [UInt8(ascii: "/")] + folder.name
      try addFolders(folder.id, path, volume, &room)
      if number == 0, album, continuesToEnd {
        let inner = try writer.orderedFolders(in: folder.id).first
        try readEarly(
          path + (inner.map { [UInt8(ascii: "/")] + $0.name } ?? []), root, volume: volume,
          atMost: Self.maximumEarlyFiles)
      }
      if isCommitDue { try commit() }
    }
    try commit()
  }

  /// Maximum number of files of the first album that are read early. Most albums have fewer files. The limit is needed,
  /// because a folder of photos can contain thousands of files.
  private static let maximumEarlyFiles = 30

  /// Adds the folders in a folder, without their contents.
  /// - Parameter room: the number of folders that can still be added.
  private func addFolders(
    _ folder: Int64, _ path: [UInt8], _ volume: Int64, _ room: inout Int
  ) throws(DatabaseError) {
    guard continues() else { return }
    willRead(.folder(path))
    guard let reader = FolderReader(bytes: path) else { return }
    var known: Set<[UInt8]> = []
    for stored in try writer.folders(in: folder) { known.insert(stored.name) }
    while room > 0, let name = reader.nextFolderBytes() {
      guard name.first != UInt8(ascii: "."), !isSystemFolder(name),
        !options.otherVolumes.contains(path + [UInt8(ascii: "/")] + name),
        known.insert(name).inserted
      else { continue }
      _ = try writer.addFolder(name, in: folder, volume: volume)
      room -= 1
    }
  }

  /// Maximum number of folders that are added early. The complete listing finds the other folders.
  private static let maximumUpperFolders = 10_000
}

// The first part of a scan: reads the names of folders and files.
extension VolumeScan {
  /// Compares a folder and all folders in it with the library.
  private func readNames(
    _ path: [UInt8], folder: Int64, volume: Int64, depth: Int
  ) throws(DatabaseError) {
    guard continues() else { return }
    willList(path, depth)
    var listing = listing(path, maximumNameBytes: limits.nameBytes - openNameBytes)
    if depth == 0 { root = listing.identity }
    if depth == 0, listing.isEmpty {
      // A music folder of the configuration can be missing (ENOENT). Then the volume counts as empty.
      result.ending = [0, ENOENT].contains(listing.failure) ? .empty : .lost
      return
    }
    if listing.isOutside || listing.identity.map({ !entered.insert($0).inserted }) ?? false {
      // The folder was already entered by another path, or is not on the medium. Files and folders that an earlier scan
      // has found by this path must be removed.
      goneFiles += try writer.files(in: folder).map(\.id)
      goneFolders += try writer.folders(in: folder).map(\.id)
      return
    }
    if listing.isCut { result.wasCut = true }
    try compareFiles(listing, folder)
    listing.dropFiles()
    let nameBytes = listing.folderBytes
    openNameBytes += nameBytes
    defer { openNameBytes -= nameBytes }
    var known: [[UInt8]: Int64] = [:]
    for stored in try writer.folders(in: folder) { known[stored.name] = stored.id }
    for found in listing.folders {
      let name = found.name
      let child = path + [UInt8(ascii: "/")] + name
      if options.otherVolumes.contains(child) { continue }
      guard depth < limits.depth, entered.count < limits.files else {
        result.wasCut = true
        break
      }
      let id: Int64
      if let stored = known.removeValue(forKey: name) {
        id = stored
      } else {
        id = try writer.addFolder(name, in: folder, volume: volume)
      }
      let wasLinked = isLinked
      isLinked = isLinked || found.isLink
      try readNames(child, folder: id, volume: volume, depth: depth + 1)
      isLinked = wasLinked
      if !continuesToEnd { return }
    }
    if listing.isComplete, !result.wasCut { goneFolders += known.values }
  }

  /// Lists a folder. ``willRead`` is called for each name, so that a large folder is not mistaken for a medium that
  /// does not answer.
  func listing(
    _ path: [UInt8], maximumNameBytes: Int = FolderListing.maximumNameBytes
  ) -> FolderListing {
    defer { willRead(.none) }
    return FolderListing(
      path, edge: edge, isLinked: isLinked, maximumNameBytes: maximumNameBytes
    ) { willRead(.folder(path)) }
  }

  func compareFiles(_ listing: FolderListing, _ folder: Int64) throws(DatabaseError) {
    var known: [[UInt8]: LibraryWriter.StoredFile] = [:]
    for stored in try writer.files(in: folder) { known[stored.name] = stored }
    for file in listing.files {
      guard result.files < limits.files else {
        result.wasCut = true
        return
      }
      if let linked = file.linked, !linkedFiles.insert(linked).inserted { continue }
      result.files += 1
      noteFile()
      guard let stored = known.removeValue(forKey: file.name) else {
        try writer.addFile(file.name, file.stamp, in: folder)
        noteUnread()
        continue
      }
      let isSame = shift.isSame(stored.stamp, file.stamp)
      if !isSame { try writer.change(stored.id, to: file.stamp) }
      if !isSame || !stored.isRead { noteUnread() }
    }
    if listing.isComplete { goneFiles += known.values.map(\.id) }
  }
}
