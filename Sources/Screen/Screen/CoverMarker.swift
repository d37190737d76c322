internal import Files
internal import Glibc

/// Remembers over a crash which cover was being decoded: a picture that ends the screen does so once,
/// and not each time that it is started again.
///
/// A file in a folder that lives as long as the machine runs (`RuntimeDirectory` with
/// `RuntimeDirectoryPreserve=restart`); without one nothing is remembered. One thread at a time.
struct CoverMarker: Sendable {
  private static let limit = 4096

  private let path: String?
  /// The cover that ended the screen before; nil for none.
  let culprit: String?

  /// - Parameter folder: nil for nowhere.
  init(folder: String?) {
    path = folder.map { $0 + "/decoding" }
    culprit = path.flatMap { BoundedFile.read($0, atMost: Self.limit) }
      .flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
  }

  /// Decoding begins.
  func begin(_ id: String) {
    guard let path else { return }
    let file = open(FileName.cString(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let bytes = Array(id.utf8.prefix(Self.limit))
    _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
  }

  /// It has ended, whatever came of it.
  func end() {
    if let path { unlink(FileName.cString(path)) }
  }
}
