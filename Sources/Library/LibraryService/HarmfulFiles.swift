internal import Files
internal import Glibc
internal import LibraryDatabase
internal import LibraryModel
internal import LibraryScan
internal import SQLite

/// Finds the *harmful* files: files at which the program crashes or is killed. Before the program reads a file, it
/// writes the path of this file to a small note in a memory file system. After a crash or a kill, the next run finds
/// the path in the note, and stores it in the library's database.
///
/// Used on the scanning thread.
final class HarmfulFiles {
  private static let maximumBytes = 32 << 10
  private static let nothing: [UInt8] = [0]
  private let descriptor: Int32
  /// The file that the last run was reading when it crashed or was killed. Nil after the file was stored.
  private var last: HarmfulFile?
  private var current: HarmfulFile?
  private var known: [Key: HarmfulFile] = [:]
  /// Harmful files that were read to their ends since the last call of ``settle(_:)``.
  private var harmless: [HarmfulFile] = []

  private struct Key: Hashable {
    let volume: String
    let path: [UInt8]
  }

  /// - Parameter folder: a folder in a memory file system. If it is missing, no new harmful file is recognised.
  init(in folder: String) {
    descriptor = Self.open(folder)
    var bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
    let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
    let fields = bytes[..<count].split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
    guard fields.count == 4, !fields[0].isEmpty,
      let stamp = UInt32(String(decoding: fields[2], as: UTF8.self))
    else { return }
    last = HarmfulFile(
      volume: String(decoding: fields[0], as: UTF8.self), path: Array(fields[1]), stamp: stamp)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func open(_ folder: String) -> Int32 {
    Glibc.open(folder + "/reading", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  /// Clears the note, because the program ends on request. So the file that is being read does not count as harmful.
  /// Can be called on any thread.
  static func noteEnd(in folder: String) {
    let descriptor = open(folder)
    guard descriptor >= 0 else { return }
    pwrite(descriptor, nothing, nothing.count, 0)
    close(descriptor)
  }

  /// The harmful files, in the order in which they were first recorded.
  private(set) var all: [HarmfulFile] = []

  /// Stores the file that the last run was reading when it crashed or was killed. Then loads the records of all harmful
  /// files from the database.
  func load(_ writer: LibraryWriter) throws(DatabaseError) {
    if let last {
      try writer.noteStop(last)
      self.last = nil
      write(Self.nothing)
    }
    all = try writer.harmfulFiles()
    known = [:]
    for file in all { known[Key(volume: file.volume, path: file.path)] = file }
  }

  /// True if harmful files were now read to their ends, so that their records must be removed.
  var mustSettle: Bool { !harmless.isEmpty }

  /// Removes the records of files that were read to their ends.
  func settle(_ writer: LibraryWriter) throws(DatabaseError) {
    for file in harmless { try writer.forgetStops(of: file) }
    harmless = []
    try load(writer)
  }

  /// The record of a harmful file. Nil if the file is not harmful, or was changed after it was recorded.
  func known(_ path: [UInt8], stamp: UInt32, of volume: String) -> HarmfulFile? {
    known.isEmpty
      ? nil : known[Key(volume: volume, path: path)].flatMap { $0.stamp == stamp ? $0 : nil }
  }

  /// Call this before a file is read.
  func begin(_ path: [UInt8], stamp: UInt32, of volume: String) {
    noteCurrent()
    current = HarmfulFile(volume: volume, path: path, stamp: stamp)
    let bytes =
      Array(volume.utf8) + [0] + path + [0] + Array("\(stamp)".utf8) + [0]
    write(bytes.count <= Self.maximumBytes ? bytes : Self.nothing)
  }

  /// Call this when no file is being read.
  func end() {
    guard current != nil else { return }
    noteCurrent()
    write(Self.nothing)
  }

  /// Records that the current file was read to its end.
  private func noteCurrent() {
    guard let file = current else { return }
    current = nil
    if let known = known[Key(volume: file.volume, path: file.path)] { harmless.append(known) }
  }

  private func write(_ bytes: [UInt8]) {
    if descriptor >= 0 { pwrite(descriptor, bytes, bytes.count, 0) }
  }
}

// Functions for a scan, which uses the whole paths of files.
extension HarmfulFiles {
  /// How a scan reads a file.
  func reading(
    _ path: [UInt8], _ stamp: FileStamp, of volume: LibraryVolume
  ) -> VolumeScan.Reading {
    guard let known = known(below(path, volume), stamp: stamp.digest, of: volume.identity) else {
      return .usual
    }
    if known.isExcluded { return .refused }
    // This pause gives the daemon time to receive the path of the file before the program can crash at this file again.
    usleep(300_000)
    return .risky
  }

  /// See ``begin(_:stamp:of:)``.
  func begin(_ path: [UInt8], _ stamp: FileStamp, of volume: LibraryVolume) {
    begin(below(path, volume), stamp: stamp.digest, of: volume.identity)
  }

  private func below(_ path: [UInt8], _ volume: LibraryVolume) -> [UInt8] {
    Array(path.dropFirst(volume.path.count))
  }
}
