internal import Glibc
internal import Text

/// Stores the history in a file, with one entry per line. Errors are ignored: invalid lines are skipped, and a line
/// that cannot be written is lost when the console ends.
package struct HistoryFile: Sendable {
  /// The maximum number of bytes that are read, from the end of the file.
  private static let largestRead = 256 << 10
  private let path: String

  /// - Parameter path: the path of the file. The file does not have to exist, but its folder must exist.
  package init(path: String) { self.path = path }

  /// The lines of the file that are valid text and not too long. If the file is too large, only its end is read. A file
  /// with more than twice ``History/limit`` lines is shortened to the newest ``History/limit`` lines.
  package func load() -> [String] {
    // Without O_NONBLOCK, opening a named pipe would block.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
    let start = max(0, Int(status.st_size) - Self.largestRead)
    var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), Self.largestRead))
    let count = pread(descriptor, &bytes, bytes.count, off_t(start))
    guard count > 0 else { return [] }
    var pieces = bytes[..<count].split(separator: UInt8(ascii: "\n"))
    if start > 0, !pieces.isEmpty { pieces.removeFirst() }
    let lines = pieces.compactMap { piece -> String? in
      guard piece.count <= 4 * LineBuffer.limit,
        let line = String(validating: piece, as: UTF8.self), TextWidth.sanitized(line) == line,
        line.unicodeScalars.count <= LineBuffer.limit
      else { return nil }
      return line
    }
    if pieces.count > 2 * History.limit { rewrite(History(lines).lines) }
    return lines
  }

  /// Appends a line to the file.
  package func append(_ line: String) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let bytes = Array((line + "\n").utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Writes a new file. The new file replaces the old file only when the new file is complete.
  private func rewrite(_ lines: [String]) {
    let new = path + ".new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    let isWhole = write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    close(descriptor)
    if isWhole, rename(new, path) == 0 { return }
    unlink(new)
  }
}
