internal import Files
internal import Glibc
internal import Threads

extension Configuration {
  /// Where the configuration is, the last one counting: what is shipped, what the owner of the unit changed,
  /// and what the unit itself stores for the driver.
  public static let standardFiles = [
    "/etc/autoharp.conf", "/data/autoharp.conf", "/data/autoharp/settings.conf",
  ]

  /// Reads files, and what they say. Blocks for as long as the medium takes.
  ///
  /// A file that is missing says nothing; one that cannot be read is a notice.
  /// - Parameter isNamed: somebody asked for these files, so that one that is missing is a notice.
  public init(
    files: [String] = Configuration.standardFiles, isNamed: Bool = false, checks: SettingChecks
  ) {
    var sources: [Source] = []
    var unread: [SettingsNotice] = []
    for file in files {
      do throws(Failure) {
        sources.append(Source(name: file, bytes: try Self.read(file)))
      } catch {
        if error.code == ENOENT, !isNamed { continue }
        unread.append(
          SettingsNotice(
            kind: .wrong, file: file, line: nil, text: "",
            reason: error.code == 0
              ? "it is not a file, and ignored"
              : "it cannot be read: \(systemWords(error.code)); ignored"))
      }
    }
    self.init(sources, unread: unread, checks: checks)
  }

  private struct Failure: Error {
    /// 0 for what is not a file.
    let code: Int32
  }

  /// One byte more than is read of a file, so that it is known that there are more.
  private static func read(_ path: String) throws(Failure) -> [UInt8] {
    // A pipe would be waited for.
    let file = open(FileName.cString(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw Failure(code: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw Failure(code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(code: 0) }
    var bytes = [UInt8](repeating: 0, count: Source.maximumBytes + 1)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(file, buffer.baseAddress! + filled, buffer.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(code: errno) }
      if count == 0 { break }
      filled += count
    }
    return Array(bytes.prefix(filled))
  }
}
