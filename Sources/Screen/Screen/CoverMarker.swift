internal import Files
internal import Glibc

/// Stores the identity of the cover that is being decoded. If the screen program crashes during the
/// decoding, the restarted program reads this identity and skips the cover. So the same cover does
/// not crash the program again.
///
/// The marker is a file in a folder that exists as long as the machine runs (`RuntimeDirectory`
/// with `RuntimeDirectoryPreserve=restart`). Without a folder nothing is stored. Only one thread at
/// a time may use a marker.
struct CoverMarker: Sendable {
  private static let limit = 4096

  private let path: String?
  /// The identity of the cover that crashed the screen before; nil if there is none.
  let crashedID: String?

  /// - Parameter folder: the folder of the marker. If it is nil, nothing is stored.
  init(folder: String?) {
    path = folder.map { $0 + "/decoding" }
    crashedID = path.flatMap { BoundedFile.read($0, atMost: Self.limit) }
      .flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
  }

  /// Must be called before a cover is decoded.
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
