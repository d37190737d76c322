internal import Files
internal import Glibc
internal import Threads

extension Configuration {
  /// The paths of the shipped file and of the files of the unit's owner. At its start, the unit copies
  /// `/run/boot/autoharp.conf` from the boot partition (board/helpers/settings.c).
  public static let standardFiles = [
    (path: "/etc/autoharp.conf", layer: Layer.shipped),
    ("/run/boot/autoharp.conf", .owner),
    ("/data/autoharp.conf", .owner),
  ]

  /// Reads the standard files, and the file of the driver in the state folder that the standard files name. Blocks
  /// until the medium has delivered the data.
  ///
  /// A missing file is ignored. A file that cannot be read causes a notice.
  public init(checks: SettingChecks) {
    self.init(files: Self.standardFiles, isNamed: false, hasDriver: true, checks: checks)
  }

  /// Reads the files with these paths instead of the standard files.
  /// - Parameters:
  ///   - isNamed: true if a missing file causes a notice.
  ///   - hasDriver: true to read also the file of the driver, which can be missing.
  public init(
    files: [String], isNamed: Bool = false, hasDriver: Bool = false, checks: SettingChecks
  ) {
    self.init(
      files: files.map { ($0, .owner) }, isNamed: isNamed, hasDriver: hasDriver, checks: checks)
  }

  private init(
    files: [(path: String, layer: Layer)], isNamed: Bool, hasDriver: Bool, checks: SettingChecks
  ) {
    var reading = Files()
    for (path, layer) in files { reading.read(path, layer, isNamed: isNamed) }
    var result = Configuration(reading.sources, unread: reading.unread, checks: checks)
    if hasDriver {
      // The driver cannot change the state folder, so the path of the driver's file is known now.
      let file = result.settings.driverFile
      reading.read(file, .driver, isNamed: false)
      result = Configuration(reading.sources, unread: reading.unread, checks: checks)
      if reading.unread.contains(where: { $0.file == file }) { result.driver.isDamaged = true }
    }
    self = result
  }

  /// The files that were read.
  private struct Files {
    var sources: [Source] = []
    var unread: [SettingsNotice] = []

    mutating func read(_ file: String, _ layer: Layer, isNamed: Bool) {
      do throws(Failure) {
        sources.append(
          Source(name: file, bytes: try Configuration.read(file), layer: layer))
      } catch {
        if error.code == ENOENT, !isNamed { return }
        unread.append(
          SettingsNotice(
            kind: .wrong, file: file, line: nil, text: "",
            cause: error.code == 0 ? .notAFile : .unreadable(error.code),
            reason: error.code == 0
              ? "it is not a regular file; ignored"
              : "it cannot be read: \(systemWords(error.code)); ignored"))
      }
    }
  }

  private struct Failure: Error {
    /// The error number. It is 0 if the path is not a regular file.
    let code: Int32
  }

  /// Reads a file, up to one byte more than ``Source/maximumBytes``. The extra byte shows that the file is too large.
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
