internal import Files
internal import Glibc

/// Stores which cover is being decoded, so that this is known after a crash. After the restart the
/// screen skips a cover that has crashed it, so no cover crashes the screen twice.
///
/// The marker is a file in a folder that exists as long as the machine runs (`RuntimeDirectory`
/// with `RuntimeDirectoryPreserve=restart`). Without a folder nothing is stored. One thread at a
/// time.
struct CoverMarker: Sendable {
  private static let limit = 4096

  private let path: String?
  /// The identity of the cover that crashed the screen before; nil if there is none.
  let crashedID: String?

  /// - Parameter folder: nil to remember nothing.
  init(folder: String?) {
    path = folder.map { $0 + "/decoding" }
    crashedID = path.flatMap { BoundedFile.read($0, atMost: Self.limit) }
      .flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
  }

  /// Call before a cover is decoded.
  func begin(_ id: String) {
    guard let path else { return }
    let file = open(FileName.cString(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let bytes = Array(id.utf8.prefix(Self.limit))
    _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
  }

  /// Must be called after decoding, even if decoding has failed.
  func end() {
    if let path { unlink(FileName.cString(path)) }
  }
}
