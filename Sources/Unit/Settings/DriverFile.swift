package import Files
internal import Glibc

/// The file in which the unit stores the values that the driver has set. Each save replaces the whole file, so after a
/// power cut the file contains either the old values or the new values.
///
/// - Thread: one thread at a time.
/// - Blocks: each call waits for the storage.
package struct DriverFile: Sendable {
  private static let temporary = ".settings.conf.new"
  /// The name of the copy of a damaged file.
  package static let damagedName = DriverSettings.fileName + ".damaged"

  /// The beginning of the name that a wrong file gets; a number follows.
  private static let wrongName = DriverSettings.fileName + ".wrong-"
  private static let maximumWrongFiles = 9

  private let folder: String

  /// - Parameter folder: the folder of the saved state.
  package init(folder: String) { self.folder = folder }

  /// Replaces the file. If the present file is damaged, a copy is kept as ``damagedName``, in place of an earlier copy.
  package func write(_ settings: DriverSettings) throws(ReplacedFile.Failure) {
    if settings.isDamaged { try keep() }
    // All users can read the file, because the library process runs as another user and reads the settings of the
    // languages from it.
    try ReplacedFile.write(
      settings.bytes, to: DriverSettings.fileName, in: folder, temporary: Self.temporary,
      isForAll: true)
  }

  /// Renames the present file, and returns its new name. If there are ``maximumWrongFiles`` such files already,
  /// replaces the last of them. A missing file is not an error.
  package func moveAway() throws(ReplacedFile.Failure) -> String {
    var status = stat()
    let free = (1..<Self.maximumWrongFiles).first {
      lstat(FileName.cString("\(folder)/\(Self.wrongName)\($0)"), &status) != 0
    }
    let name = "\(Self.wrongName)\(free ?? Self.maximumWrongFiles)"
    let path = FileName.cString("\(folder)/\(DriverSettings.fileName)")
    if rename(path, FileName.cString("\(folder)/\(name)")) != 0, errno != ENOENT {
      throw ReplacedFile.Failure(code: errno)
    }
    return name
  }

  /// Copies the present file to ``damagedName``. A file that cannot be copied is renamed to this name.
  private func keep() throws(ReplacedFile.Failure) {
    let path = "\(folder)/\(DriverSettings.fileName)"
    if let bytes = BoundedFile.read(path, atMost: Configuration.Source.maximumBytes) {
      return try ReplacedFile.write(
        bytes, to: Self.damagedName, in: folder, temporary: Self.temporary)
    }
    let damaged = FileName.cString("\(folder)/\(Self.damagedName)")
    guard rename(FileName.cString(path), damaged) != 0, errno != ENOENT else { return }
    throw ReplacedFile.Failure(code: errno)
  }
}
