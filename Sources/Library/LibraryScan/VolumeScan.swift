internal import FileReading
package import Files
internal import Glibc
package import LibraryDatabase
package import LibraryModel
internal import MusicFiles
public import SQLite
internal import Threads

/// Brings the library up to date with one volume.
///
/// First it reads the names of all folders and files, so that folders can be browsed soon. If the volume is new, the
/// folders of the upper two levels and the first album come before all others. Then it reads the tags of the files that
/// are new or have changed. A file or folder is removed from the library only if its folder could be read to the end.
/// An error of the medium removes nothing.
///
/// Used on one thread. Blocks while the medium does not answer.
public final class VolumeScan {
  /// How far a scan is.
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
    /// The library is up to date.
    case complete
    /// The caller has stopped the scan.
    case stopped
    /// The volume cannot be read any more, for example because the stick was pulled out.
    case lost
    /// The volume has no files, or does not exist. Nothing was removed, because the mount point of a missing stick is
    /// empty, too.
    case empty
    /// The library has the largest number of volumes.
    case tooManyVolumes
  }

  /// What a scan has done.
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

  /// What a caller may ask of a scan.
  public struct Options: Sendable {
    /// This folder is read first, for example because a file in it is playing. Empty for none.
    public var preferredFolder: [UInt8] = []
    /// Folders that are other volumes. The scan leaves them out.
    public var otherVolumes: Set<[UInt8]> = []
    /// Nothing special.
    public init() {}
  }

  /// What a scan does with the medium.
  package enum Access: Equatable, Sendable {
    /// The names in a folder are read. Paths are bytes.
    case folder([UInt8])
    /// A file is read.
    case file([UInt8], FileStamp)
    /// Nothing: the scan uses only the database, which may take long.
    case none
  }

  /// How a file is read.
  package enum Reading: Sendable {
    case usual
    /// The file may have stopped the program. What was found before must be stored before it is read again.
    case risky
    /// The file has stopped the program. It becomes a file that cannot be played.
    case refused
  }

  /// Limits of a volume, because a stick may contain any number of files and folders.
  struct Limits {
    var files = 100_000
    var depth = 64
    /// Memory of the names in the folders that are open at the same time, one in the other.
    var nameBytes = FolderListing.maximumNameBytes
    /// From this number of unread files on, the words of songs are added at the end.
    var bulk = 1000
  }

  let writer: LibraryWriter
  let volume: LibraryVolume
  let options: Options
  let limits: Limits
  var shift: ClockShift
  private let report: (Progress) -> Bool
  /// Says how a file is read.
  let reading: ([UInt8], FileStamp) -> Reading
  /// Called before each access to the medium, and before long work without the medium.
  let willRead: (Access) -> Void
  /// Called with the path and the depth of each folder before its names are read. The depth of the root is 0.
  let willList: ([UInt8], _ depth: Int) -> Void
  private var clock: CommitClock
  var result = Result(ending: .complete)
  private var progress = Progress()
  /// The folders that were entered. A folder is entered once, so a circular link cannot cause an endless scan.
  var entered: Set<FolderIdentity> = []
  /// The edge of the medium. Nil if the volume is not a medium.
  private(set) var edge: MediumEdge?
  /// True in a folder that was entered through a link.
  var isLinked = false
  /// The files of the medium that were found through links.
  private var linkedFiles: Set<FolderIdentity> = []
  /// The identity of the folder of the volume. Nil until its names were read.
  var root: FolderIdentity?
  /// The memory, in bytes, for the names in folders that were listed and are not read yet.
  private var openNameBytes = 0
  /// Files and folders that are gone. They are removed at the end, so that a file that was moved is known.
  var goneFiles: [Int64] = []
  private var goneFolders: [Int64] = []

  /// - Parameters:
  ///   - writer: has no open transaction.
  ///   - reading: says how a file is read.
  ///   - willRead: called before each access to the medium, and before long work without the medium.
  ///   - willList: called with the path and the depth of each folder before its names are compared with the library.
  ///     The depth of the root is 0.
  ///   - report: called many times a second. If it returns false, the scan stops.
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

  /// Scans. If the database fails, the changes that were not committed are dropped.
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
    // The first albums are seen soon after the names.
    clock = CommitClock()
    if continuesToEnd, progress.unread > 0 { try readTags(root, volume: id) }
    if continuesToEnd { try removeGone() }
    if result.ending == .stopped { return }
    try commit()
    // With 100 000 songs, this takes half a minute on a slow board.
    try writer.finish()
  }

  private func removeGone() throws(DatabaseError) {
    if goneFiles.isEmpty, goneFolders.isEmpty { return }
    guard isPresent else {
      result.ending = .lost
      return
    }
    // A new file may be a gone file at another path. So the albums of new files are decided before the gone files are
    // removed.
    try commit()
    for file in goneFiles { try writer.removeFile(file) }
    for folder in goneFolders { try writer.removeFolder(folder) }
    result.removed = goneFiles.count + goneFolders.count
  }

  /// False if the scan was stopped, or the volume cannot be read any more.
  var continuesToEnd: Bool { result.ending == .complete }

  // MARK: Pacing

  /// Call this before each access to the medium. False if the scan must stop.
  func continues() -> Bool {
    if continuesToEnd, !report(progress) { result.ending = .stopped }
    return continuesToEnd
  }

  /// Call this for each file that was examined.
  func noteFile() { progress.files = result.files }

  /// Call this for each file that must be read.
  private func noteUnread() { progress.unread += 1 }

  /// Sets the counts back. The preferred folder is read before all other names, and its files count again with them.
  func forgetNumbers() {
    progress = Progress()
    result.files = 0
    linkedFiles = []
  }

  /// Call this after each file. Commits from time to time, so that what was found is seen and survives.
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

  /// True if the volume is still there. The mount point of a stick that was pulled out is empty, or in another file
  /// system. A folder whose last file was deleted is the same folder.
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

/// When the next transaction is committed: soon after the start, so that the first albums are seen, and then less
/// often, because each transaction writes the same pages again.
private struct CommitClock {
  private var last = MonotonicClock.nanoseconds
  private var interval: Int64 = 500_000_000

  func isDue() -> Bool { MonotonicClock.nanoseconds - last >= interval }

  mutating func restart() {
    last = MonotonicClock.nanoseconds
    interval = min(interval * 2, 5_000_000_000)
  }
}

// The start of the first scan of a volume.
extension VolumeScan {
  /// Adds the folders of the upper two levels, so that they can be opened within a second. A complete listing takes
  /// longer, because it examines each file. It follows, and also finds links to folders.
  /// - Parameter album: also reads files of the first folder, so that an album can be played soon.
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

  /// More than most albums have. A folder of photos has thousands of files.
  private static let maximumEarlyFiles = 30

  /// Adds the folders in a folder, without their contents.
  /// - Parameter room: how many more folders may be added.
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

  /// The complete listing finds the other folders.
  private static let maximumUpperFolders = 10_000
}

// The first part of a scan: the names of folders and files.
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
      // A music folder of the configuration may be missing.
      result.ending = [0, ENOENT].contains(listing.failure) ? .empty : .lost
      return
    }
    if listing.isOutside || listing.identity.map({ !entered.insert($0).inserted }) ?? false {
      // The folder was entered by another path, or is not on the medium. What an earlier scan has found by this path is
      // gone.
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

  /// The names in a folder. Each name is an access to the medium, so a large folder is not a medium that does not
  /// answer.
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
