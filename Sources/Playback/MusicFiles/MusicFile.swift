public import AudioCodecs

/// A file that can be played.
public struct MusicFile: Sendable, Equatable {
  /// As the user named it, or below the folder that the user named.
  public let path: String
  /// Its tags.
  public let metadata: AudioMetadata
  /// What is wrong with its header; it plays all the same.
  public let headerDamage: [DecodeError]
  /// As its header promises, for lists; nil where that says nothing.
  public let promisedSeconds: Double?

  /// Joins them.
  public init(
    path: String, metadata: AudioMetadata, headerDamage: [DecodeError] = [],
    promisedSeconds: Double? = nil
  ) {
    self.path = path
    self.metadata = metadata
    self.headerDamage = headerDamage
    self.promisedSeconds = promisedSeconds
  }

  /// The last part of the path.
  public var fileName: String { lastComponent(path) }
  /// What is before that, without the slash.
  package var folder: String { String(path.dropLast(fileName.count).dropLast()) }

  /// Whether it is of the same album, in the same folder.
  package func isOfAlbum(of other: MusicFile) -> Bool {
    folder == other.folder && metadata.album == other.metadata.album
  }
}

/// Something that was named, or has the name of music, and cannot be played; or a folder that was
/// not read to its end.
public struct UnplayableFile: Sendable, Equatable {
  /// Its path.
  public let path: String
  /// Why.
  public let reason: String

  /// Joins the two.
  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }
}

package func lastComponent(_ path: String) -> String {
  String(trimmed(path).split(separator: "/", omittingEmptySubsequences: true).last ?? "/")
}

func trimmed(_ path: String) -> String {
  var path = path
  while path.count > 1, path.hasSuffix("/") { path.removeLast() }
  return path
}
