internal import EventLoop
internal import Files
internal import Glibc
public import NowPlaying

/// The picture of a cover: a JPEG or PNG file.
public enum ArtworkPicture: Sendable {
  /// The path of the file.
  case file(String)
  /// The bytes of the file.
  case bytes([UInt8])

  /// The largest file, in bytes.
  public static let limit = 4 << 20

  /// The bytes of the file.
  func read() throws(Refusal) -> [UInt8] {
    switch self {
    case .bytes(let bytes):
      guard bytes.count <= Self.limit else { throw Refusal(.failed, "a cover has more than 4 MiB") }
      return bytes
    case .file(let path): return try Self.read(path)
    }
  }

  private static func read(_ path: String) throws(Refusal) -> [UInt8] {
    // Opening a pipe or a device could wait, so the flag for it is set. Only regular files are read.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw Refusal(.failed, "\(SystemError("the cover \(path) cannot be opened", errno))")
    }
    defer { close(descriptor) }
    guard let bytes = BoundedFile.read(descriptor: descriptor, atMost: limit) else {
      throw Refusal(.failed, "the cover \(path) is not a file of at most 4 MiB")
    }
    return bytes
  }

  /// The type, by the first bytes of the file.
  static func type(of bytes: [UInt8]) throws(Refusal) -> MetadataItem.DataType {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .png }
    throw Refusal(.failed, "a cover is neither JPEG nor PNG")
  }
}

/// Returns the picture for a size.
private struct PictureSource: Sendable {
  let picture: @Sendable (ArtworkSize) -> ArtworkPicture?
}

extension Artwork {
  /// A cover whose picture is returned when a surface needs it.
  /// - Parameters:
  ///   - id: changes whenever a pixel changes.
  ///   - picture: returns the picture for a size, or a larger one; nil if there is none. It must not wait.
  public init(id: String, _ picture: @escaping @Sendable (ArtworkSize) -> ArtworkPicture?) {
    self.init(id: id, attachment: PictureSource(picture: picture))
  }

  /// A cover in a file.
  public init(id: String, file: String) { self.init(id: id) { _ in .file(file) } }

  /// A cover in memory: the bytes of a JPEG or PNG file.
  public init(id: String, bytes: [UInt8]) { self.init(id: id) { _ in .bytes(bytes) } }

  /// What a cover answers.
  enum Answer {
    case picture(ArtworkPicture)
    case later
  }

  /// Nil if there is no picture.
  func answer(to request: ArtworkRequest) -> Answer? {
    if let source = attachment as? PictureSource {
      return source.picture(request.size).map { .picture($0) }
    }
    switch provider(request) {
    case .ready(let picture): return .picture(.file(picture.reference))
    case .later: return .later
    case .none: return nil
    }
  }
}
