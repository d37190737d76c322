internal import Files
internal import Glibc
internal import Threads

extension Configuration {
  /// The paths of the configuration files. A later file overrides earlier ones. The order is: the
  /// shipped file, the file of the unit's owner, the file in which the unit stores what the driver
  /// has set.
  public static let standardFiles = [
    "/etc/autoharp.conf", "/data/autoharp.conf", "/data/autoharp/settings.conf",
  ]

  /// Reads files. Blocks until the medium has delivered the data.
  ///
  /// A missing file is ignored. A file that cannot be read gives a notice.
  /// - Parameter isNamed: true if a person named these files. In this case a missing file also
  ///   gives a notice.
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
            cause: error.code == 0 ? .notAFile : .unreadable(error.code),
            reason: error.code == 0
              ? "it is not a regular file; ignored"
              : "it cannot be read: \(systemWords(error.code)); ignored"))
      }
    }
    self.init(sources, unread: unread, checks: checks)
  }

  private struct Failure: Error {
    /// The error number. It is 0 if the path is not a regular file.
    let code: Int32
  }

  /// Reads up to one byte more than the maximum. The extra byte shows that the file is too large.
  private static func read(_ path: String) throws(Failure) -> [UInt8] {
    // Without O_NONBLOCK, `open` of a pipe would block until a writer opens the pipe too.
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
