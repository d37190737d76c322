public import AudioCodecs

/// A file that can be played, with the values that lists show. The other tags are dropped after a
/// scan, because a unit has tens of thousands of files.
///
/// This type is a class, so the lists of the player share its values.
public final class MusicFile: Sendable {
  /// The path up to the last slash, with the slash. Empty if the path has no slash. The files of a
  /// folder share this text.
  package let directory: String
  /// The last part of the path.
  public let fileName: String
  /// The title in the tags.
  public let title: String?
  /// The artists in the tags, joined for people.
  public let artist: String?
  /// The album in the tags.
  public let album: String?
  /// Duration in the header, for lists. Nil if the header does not contain the duration.
  public let declaredSeconds: Double?

  /// - Parameter path: the path that the user named, or a path below the folder that the user
  ///   named.
  public convenience init(path: String, metadata: AudioMetadata, declaredSeconds: Double? = nil) {
    let name = lastComponent(path)
    self.init(
      directory: String(trimmed(path).dropLast(name.count)), fileName: name, title: metadata.title,
      artist: metadata.artist, album: metadata.album, declaredSeconds: declaredSeconds)
  }

  init(
    directory: String, fileName: String, title: String?, artist: String?, album: String?,
    declaredSeconds: Double?
  ) {
    self.directory = directory
    self.fileName = fileName
    self.title = title
    self.artist = artist
    self.album = album
    self.declaredSeconds = declaredSeconds
  }

  /// The path that the user named, or a path below the folder that the user named.
  public var path: String { directory + fileName }

  /// The name of the folder. `/` for the root.
  package var folderName: String { lastComponent(directory) }

  /// The kept tags, for surfaces. The file has more tags, which are known when it is opened.
  package var metadata: AudioMetadata {
    var comments = VorbisComments()
    for (name, value) in [("TITLE", title), ("ARTIST", artist), ("ALBUM", album)] {
      if let value { comments.entries.append(.init(name: name, value: value)) }
    }
    return AudioMetadata(comments: comments)
  }

  /// True if the path is `path`. Faster than a comparison of ``path``.
  package func isAt(_ path: String) -> Bool {
    let start = directory.utf8.count
    return path.utf8.count == start + fileName.utf8.count
      && path.utf8.dropFirst(start).elementsEqual(fileName.utf8)
      && path.utf8.starts(with: directory.utf8)
  }

  /// True if both files are of the same album and in the same folder.
  package func isOfAlbum(of other: MusicFile) -> Bool {
    directory == other.directory && album == other.album
  }
}

extension MusicFile: Equatable {
  /// True if all values are equal.
  public static func == (left: MusicFile, right: MusicFile) -> Bool {
    left === right
      || left.directory == right.directory && left.fileName == right.fileName
        && left.title == right.title && left.artist == right.artist && left.album == right.album
        && left.declaredSeconds == right.declaredSeconds
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
