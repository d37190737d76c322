internal import Glibc

/// A small file in memory with the path of the file that is being read. If reading a file stops the program,
/// the next program finds the path there.
///
/// A program may also be stopped for another reason, for example because memory is short. So a file counts
/// as harmful only if it has stopped two programs in a row.
final class ReadingMark {
  private static let maximumBytes = 16 << 10
  private let descriptor: Int32
  /// The file that the last program was reading when it was stopped, and how many programs it has stopped.
  private var suspect: (path: [UInt8], deaths: Int) = ([], 0)
  private var current: [UInt8] = []

  /// - Parameter folder: a folder in memory. Without it, no file is recognised as harmful.
  init(in folder: String) {
    descriptor = open(folder + "/reading", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    var bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
    let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
    let parts = bytes[..<count].split(separator: 0, omittingEmptySubsequences: false)
    // The path that was read, the suspect of that program, and the number of its deaths.
    guard parts.count == 3, let digit = parts[2].first else { return }
    let deaths = min(max(Int(digit) - 0x30, 0), 9)
    guard !parts[0].isEmpty else {
      // The program has ended before it has read a file. What it had found out stays.
      suspect = (Array(parts[1]), deaths)
      return
    }
    let isSame = parts[0] == parts[1]
    suspect = (Array(parts[0]), isSame ? min(9, deaths + 1) : 1)
    write()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The file that has stopped two programs; nil if there is none.
  var harmfulFile: [UInt8]? { suspect.deaths >= 2 ? suspect.path : nil }

  /// Call this before a file is read.
  func set(_ path: [UInt8]) {
    if !current.isEmpty, current == suspect.path, suspect.deaths < 2 {
      // The suspect was read to its end.
      suspect = ([], 0)
    }
    current = path
    write()
  }

  /// Call this when no file is being read.
  func clear() { set([]) }

  private func write() {
    guard descriptor >= 0 else { return }
    let bytes = current + [0] + suspect.path + [0, UInt8(0x30 + suspect.deaths)]
    if bytes.count <= Self.maximumBytes, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count {
      ftruncate(descriptor, bytes.count)
    }
  }
}
