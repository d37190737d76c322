internal import Console
internal import Files
internal import Glibc

/// Reads the logs that the image keeps of crashes and failed services (`board/helpers/keep-log.c`).
struct KeptLogs {
  /// The maximum number of files that are listed. The image keeps at most 200.
  private static let maximumFiles = 200
  /// The part of a file that is read: its end.
  private static let maximumBytes = 64 << 10
  private static let maximumLines = 200

  let folder: String

  /// The logs, newest first. Nil if the folder cannot be read; `errno` contains the reason.
  var list: [LogReport.Kept]? {
    guard let reader = FolderReader(folder) else { return nil }
    var logs: [LogReport.Kept] = []
    while logs.count < Self.maximumFiles, let name = reader.next() {
      var status = stat()
      guard name.first != ".",
        fstatat(reader.descriptor, FileName.cString(name), &status, AT_SYMLINK_NOFOLLOW) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      logs.append(
        .init(name: name, seconds: status.st_mtim.tv_sec, bytes: Int(clamping: status.st_size)))
    }
    return logs.sorted { ($0.seconds, $0.name) > ($1.seconds, $1.name) }
  }

  /// The last lines of a log. Nil if it cannot be read; `errno` contains the reason.
  func report(of name: String) -> LogReport? {
    let file = open(
      FileName.cString("\(folder)/\(name)"), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let size = lseek(file, 0, SEEK_END)
    let begin = max(0, size - off_t(Self.maximumBytes))
    var bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        pread(file, $0.baseAddress! + filled, $0.count - filled, begin + off_t(filled))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      filled += count
    }
    var lines = String(decoding: bytes[..<filled], as: UTF8.self).split(separator: "\n")
    // The first line is cut if the beginning of the file was not read.
    if begin > 0, !lines.isEmpty { lines.removeFirst() }
    let isComplete = begin == 0 && lines.count <= Self.maximumLines
    return LogReport(
      lines.suffix(Self.maximumLines).map { .init(String($0)) }, isComplete: isComplete)
  }
}
