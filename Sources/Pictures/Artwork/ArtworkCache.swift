internal import Files
internal import Glibc
internal import Synchronization
internal import Threads

/// `O_TMPFILE`, which Swift cannot import.
private let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY

/// Covers that were found before, stored as files. No picture is in memory as a whole. All loaders of a process share
/// one cache.
///
/// The name of a file is the hash of its bytes. Before the process uses a file for the first time, it compares the
/// bytes of the file with the hash in the name. So a file that was damaged by a power cut, or changed by another
/// program, is not shown. If the folder cannot be used, covers are still found, but have no path.
///
/// - Thread: any. Calls wait for the disk, for the medium of a new picture, and for each other. So only the worker
///   threads of loaders make these calls.
public final class ArtworkCache: Sendable {
  /// Limits of the cache.
  public struct Limits: Sendable, Equatable {
    /// The largest size of all files in the folder together, in bytes.
    public var bytes = 64 << 20
    /// The largest number of files in the folder.
    public var files = 2000

    /// The default limits. They are low enough for a unit with a small memory card.
    public init() {}
  }

  /// A picture that the cache has found or stored. `path` is nil if the picture is not in the folder of the cache.
  struct Stored {
    let key: PictureKey
    let header: ImageHeader
    let path: String?
  }

  /// Limit for the names that are read from the folder. A folder with more names is refused, because it cannot be a
  /// folder of this cache.
  private static let maximumNames = 100_000
  /// Limit for the origins that are stored in memory.
  private static let maximumRecent = 1000

  private struct State {
    var folder: CacheFolder?
    var index = CacheIndex()
    /// For each origin at which this process has found a picture: this picture, without its path.
    var recent: [CacheName: Stored] = [:]
    /// The latest modification time that was set on a file, in nanoseconds since 1970. Each new time is later than the
    /// time before. So the order of use stays correct even if the clock begins in 1970 at each start of the unit.
    var lastStamp: Int64 = 0
    var reported: Set<String> = []
  }

  private let path: String?
  private let limits: Limits
  private let state: Mutex<State>

  /// Creates a cache. Does no I/O: the folder is opened when a cover is looked up or stored for the first time.
  /// - Parameter folder: the folder is created if it does not exist; its parent folders are not created. If nil, no
  ///   files are stored.
  public init(folder: String?, limits: Limits = Limits()) {
    path = folder
    self.limits = limits
    state = Mutex(State())
  }

  // MARK: Lookup and storage

  /// The picture that was found at this origin before. Nil if no picture was found there, or if the file of the picture
  /// in the cache is missing or has changed.
  func picture(
    from origin: PictureOrigin, limits: CoverLimits, notices: inout [CoverNotice]
  ) -> Stored? {
    withState(&notices) { state, notices in
      let link = origin.link
      let recent = state.recent[link]
      guard let folder = opened(&state, &notices) else { return recent }
      guard let name = recent?.name ?? folder.target(of: link),
        case .picture(let key, let kind) = name
      else { return nil }
      guard let file = verified(name, key, folder, atMost: limits.bytes, &state),
        let header = try? file.header(limits: limits), header.kind == kind
      else {
        forget(link, &state)
        return nil
      }
      touch(name, folder, &state)
      remember(link, name, &state)
      return Stored(key: key, header: header, path: folder.path(of: name))
    }
  }

  /// Stores a picture whose header is valid. Reads the whole picture. If the cache does not contain the picture yet,
  /// reads it a second time.
  /// - Parameter origin: the file of the picture. ``picture(from:limits:notices:)`` can find the picture by this origin
  ///   later. Nil if the picture is not a file of its own.
  /// - Throws: the reason why the picture cannot be read.
  func keep(
    _ picture: PictureStream, _ header: ImageHeader, from origin: PictureOrigin?,
    notices: inout [CoverNotice]
  ) throws(CoverFault) -> Stored {
    let found = Stored(key: try picture.key(), header: header, path: nil)
    let result = withState(&notices) { state, notices in
      Result { () throws(CoverFault) in
        let path = try store(found, picture, &state, &notices)
        if let link = origin?.link {
          if state.recent.count >= Self.maximumRecent { state.recent = [:] }
          state.recent[link] = found
          if path != nil { remember(link, found.name, &state) }
        }
        return Stored(key: found.key, header: header, path: path)
      }
    }
    return try result.get()
  }

  /// Creates a file without a name in the folder. The kernel frees it when it is closed.
  func unnamedFile() throws(CoverFault) -> Int32 {
    var notices: [CoverNotice] = []
    let folder = withState(&notices) { state, notices in opened(&state, &notices)?.descriptor }
    guard let folder else { throw .unreadable("cannot be stored, because the cache has no folder") }
    let file = openat(folder, ".", unnamed | O_RDWR | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .unreadable("cannot be stored: \(systemWords(errno))") }
    return file
  }

  private func withState<Result>(
    _ notices: inout [CoverNotice],
    _ body: (inout State, inout [CoverNotice]) -> sending Result
  ) -> Result {
    var new: [CoverNotice] = []
    let result = state.withLock { body(&$0, &new) }
    notices += new
    return result
  }

  // MARK: The folder

  /// The folder of the cache. It is opened again if its path now leads to another inode.
  private func opened(_ state: inout State, _ notices: inout [CoverNotice]) -> CacheFolder? {
    if let folder = state.folder, folder.isAtItsPath { return folder }
    state.folder = nil
    state.index = CacheIndex()
    guard let path else { return nil }
    do throws(CacheFailure) {
      let folder = try CacheFolder(path)
      try loadIndex(of: folder, &state)
      state.folder = folder
      return folder
    } catch {
      report(error, &state, &notices)
      return nil
    }
  }

  private func loadIndex(of folder: CacheFolder, _ state: inout State) throws(CacheFailure) {
    guard let reader = FolderReader(".", relativeTo: folder.descriptor) else {
      throw CacheFailure("cannot be read")
    }
    var found: [(name: CacheName, bytes: Int, stamp: Int64)] = []
    var seen = 0
    while let text = reader.next() {
      seen += 1
      guard seen <= Self.maximumNames else { throw CacheFailure("has too many files", EFBIG) }
      guard let name = CacheName(text), let status = folder.status(name) else { continue }
      switch (name, status.st_mode & S_IFMT) {
      case (.unfinished, _): folder.remove(name)
      case (.picture, S_IFREG), (.link, S_IFLNK):
        found.append((name, Int(status.st_size), nanoseconds(status.st_mtim)))
      default: break
      }
    }
    guard reader.failure == 0 else { throw CacheFailure("cannot be read", reader.failure) }
    for file in found.sorted(by: { $0.stamp < $1.stamp }) {
      state.index.insert(file.name, bytes: file.bytes, isVerified: false)
      state.lastStamp = max(state.lastStamp, file.stamp)
    }
    // The limits can be lower than in an earlier run, so files are removed if necessary.
    try makeRoom(for: 0, files: 0, in: folder, &state)
  }

  private func makeRoom(
    for bytes: Int, files: Int, in folder: CacheFolder, _ state: inout State
  ) throws(CacheFailure) {
    for victim in state.index.victims(for: bytes, files: files, limits: limits) {
      guard folder.remove(victim) else { throw CacheFailure("cannot be made smaller") }
      state.index.remove(victim)
    }
  }

  /// Ensures that the picture is in the folder, and returns its path. Nil if this is not possible.
  private func store(
    _ found: Stored, _ picture: PictureStream, _ state: inout State,
    _ notices: inout [CoverNotice]
  ) throws(CoverFault) -> String? {
    guard picture.size <= limits.bytes, limits.files > 0,
      let folder = opened(&state, &notices)
    else { return nil }
    let name = found.name
    do throws(CacheFailure) {
      if verified(name, found.key, folder, atMost: picture.size, &state) == nil {
        guard folder.remove(name) else { throw CacheFailure("cannot be written") }
        // Space is freed first, so that the limit is never exceeded.
        try makeRoom(for: picture.size, files: 1, in: folder, &state)
        try CacheWriter.write(folder, name, found.key, picture)
        state.index.insert(name, bytes: picture.size, isVerified: true)
      }
      touch(name, folder, &state)
      return folder.path(of: name)
    } catch {
      if case .picture(let fault) = error { throw fault }
      report(error, &state, &notices)
      return nil
    }
  }

  /// The file `name`, if its bytes match its name. If they do not match, the file is removed. The bytes are compared
  /// only once in the life of the process. After that, only the size is compared, because only another program with
  /// write access could have changed the bytes.
  private func verified(
    _ name: CacheName, _ key: PictureKey, _ folder: CacheFolder, atMost limit: Int,
    _ state: inout State
  ) -> PictureStream? {
    guard let entry = state.index.entries[name] else { return nil }
    guard let file = folder.picture(name), file.size == entry.bytes, file.size <= limit,
      entry.isVerified || (try? file.key()) == key
    else {
      folder.remove(name)
      state.index.remove(name)
      return nil
    }
    state.index.verified(name)
    return file
  }

  // MARK: Links

  /// Creates the link from an origin to a picture. Errors are not reported, because without the link the picture is
  /// only searched for again.
  private func remember(_ link: CacheName, _ name: CacheName, _ state: inout State) {
    guard let folder = state.folder else { return }
    if state.index.entries[link] == nil || folder.target(of: link) != name {
      state.index.remove(link)
      let bytes = name.text.utf8.count
      let victims = state.index.victims(for: bytes, files: 1, limits: limits)
      guard !victims.contains(name), folder.remove(link),
        (try? makeRoom(for: bytes, files: 1, in: folder, &state)) != nil,
        folder.makeLink(link, to: name)
      else { return }
      state.index.insert(link, bytes: bytes, isVerified: true)
    }
    touch(link, folder, &state)
  }

  private func forget(_ link: CacheName, _ state: inout State) {
    state.recent[link] = nil
    state.folder?.remove(link)
    state.index.remove(link)
  }

  // MARK: Order of use, and notices

  private func touch(_ name: CacheName, _ folder: CacheFolder, _ state: inout State) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    state.lastStamp = max(nanoseconds(now), state.lastStamp + 1000)
    state.index.use(name)
    folder.stamp(name, state.lastStamp)
  }

  /// Nanoseconds since 1970. Times before 1970 and after about 2096 are clamped, so that nothing overflows.
  private func nanoseconds(_ time: timespec) -> Int64 {
    Int64(min(max(time.tv_sec, 0), 4_000_000_000)) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Reports each reason only once in the life of the process, not for each track.
  private func report(
    _ failure: CacheFailure, _ state: inout State, _ notices: inout [CoverNotice]
  ) {
    guard case .cache(let reason) = failure, state.reported.insert(reason).inserted else { return }
    notices.append(
      CoverNotice(
        file: path ?? "", subject: .cache, reason: .refused(.unreadable(reason))))
  }
}

extension ArtworkCache.Stored {
  /// The name of the picture in the folder.
  fileprivate var name: CacheName { .picture(key, header.kind) }
}
