public import AudioCodecs

/// A file that can be played.
public struct MusicFile: Sendable, Equatable {
  /// The path that the user named, or a path below the folder that the user named.
  public let path: String
  /// The tags of the file.
  public let metadata: AudioMetadata
  /// Damage of the header. The file can be played nevertheless.
  public let headerDamage: [DecodeError]
  /// Duration in the header, for lists. Nil if the header does not contain the duration.
  public let declaredSeconds: Double?

  /// A file with its tags.
  public init(
    path: String, metadata: AudioMetadata, headerDamage: [DecodeError] = [],
    declaredSeconds: Double? = nil
  ) {
    self.path = path
    self.metadata = metadata
    self.headerDamage = headerDamage
    self.declaredSeconds = declaredSeconds
  }

  /// The last part of the path.
  public var fileName: String { lastComponent(path) }
  /// The path of the folder, without a final slash.
  package var folder: String { String(path.dropLast(fileName.count).dropLast()) }

  /// True if both files are of the same album and in the same folder.
  package func isOfAlbum(of other: MusicFile) -> Bool {
    folder == other.folder && metadata.album == other.metadata.album
  }
}

/// A file that cannot be played, although the user named it or its name is that of a music file.
/// Also a folder that was not read to its end.
public struct UnplayableFile: Sendable, Equatable {
  /// The path of the file or folder.
  public let path: String
  /// The reason why the file cannot be played.
  public let reason: String

  /// A path and a reason.
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
