package import AudioCodecs
internal import Files

/// A file that can be played, with the values that lists show. The other tags are dropped after a scan, because a unit
/// has tens of thousands of files.
///
/// The values are in a ``FilePack``, which the lists of the player share.
public struct MusicFile: Sendable {
  let pack: FilePack
  /// The index in the pack.
  let index: UInt32

  /// Creates the file with this index in a pack.
  init(_ pack: FilePack, _ index: UInt32) {
    self.pack = pack
    self.index = index
  }

  /// Creates a file in a pack of its own.
  /// - Parameter common: the shared values. To save memory, pass the same object for all files with these values.
  init(
    _ common: Common, fileName: String, title: String?, declaredSeconds: Double?, stamp: UInt32 = 0
  ) {
    var builder = FilePack.Builder()
    builder.add(fileName, title: title, seconds: declaredSeconds, stamp: stamp, common)
    self.init(builder.take(), 0)
  }

  /// The values that files of one album in one folder share.
  final class Common: Sendable {
    let directory: String
    let artist: String?
    let album: String?
    let volume: VolumeMount?

    init(directory: String, artist: String?, album: String?, volume: VolumeMount? = nil) {
      self.directory = directory
      self.artist = artist
      self.album = album
      self.volume = volume
    }
  }

  /// The values that files of one album in one folder share.
  var common: Common { pack.album(index) }

  /// Duration in the header, for lists. Nil if the header contains no duration, or a duration that no song can have.
  public var declaredSeconds: Double? { pack.seconds(index) }

  /// The longest duration, in seconds: 46 days. A header can state any duration, so a longer duration is ignored.
  private static let longestSeconds = 4_000_000.0

  /// Returns nil for a duration that no song can have.
  static func plausible(_ seconds: Double?) -> Double? {
    seconds.flatMap { (0...longestSeconds).contains($0) ? $0 : nil }
  }

  /// Identifies the state of the file when it was last examined. 0 if the state is not known. See ``FileStamp/digest``.
  public var stamp: UInt32 { pack.stamp(index) }

  /// The songs of an album play in the order of these numbers. 0 if the number is not known. See
  /// `LibraryTrack.numberInAlbum`.
  public var numberInAlbum: UInt32 { pack.numberInAlbum(index) }

  /// The volume of the file. Nil if it is not known.
  public var volume: VolumeMount? { common.volume }

  /// The folder in which the medium of the file is mounted. Nil if the file is on no medium, or if the medium is not
  /// mounted.
  package var medium: String? { common.volume.flatMap { $0.isMedium ? $0.path : nil } }

  /// True if the volume of the file is not mounted. The path is then relative.
  public var isAbsent: Bool { common.volume.map { $0.path == nil } ?? false }

  /// The path below the volume; the whole path if the volume is not known.
  public var pathInVolume: String {
    guard let root = common.volume?.path else { return path }
    return String(
      Substring(path.utf8.dropFirst(root.utf8.count).drop { $0 == UInt8(ascii: "/") }))
  }

  /// The path up to the last slash, with the slash. Empty if the path has no slash.
  package var directory: String { common.directory }
  /// The artists in the tags, joined into one text for people.
  public var artist: String? { common.artist }
  /// The album in the tags.
  public var album: String? { common.album }

  /// The last part of the path.
  public var fileName: String { pack.name(index) }

  /// The title in the tags.
  public var title: String? { pack.title(index) }

  /// The title in the tags, or the name of the file without its suffix, as in the library.
  package var shownTitle: String { title ?? FileName.withoutSuffix(pack.nameBytes(index)) }

  /// The path that the user named, or a path below the folder that the user named.
  public var path: String { directory + fileName }

  /// The name of the folder. `/` for the root.
  package var folderName: String { lastComponent(directory) }

  /// The tags that this object stores, for surfaces. The file can have more tags, which are known only after the file
  /// is opened.
  package var metadata: AudioMetadata {
    var comments = VorbisComments()
    for (name, value) in [("TITLE", title), ("ARTIST", artist), ("ALBUM", album)] {
      if let value { comments.entries.append(.init(name: name, value: value)) }
    }
    return AudioMetadata(comments: comments)
  }

  /// True if the path of this file is `path`. Faster than a comparison with ``MusicFile/path``.
  package func isAt(_ path: String) -> Bool {
    let name = pack.nameBytes(index)
    let directory = common.directory
    let start = directory.utf8.count
    return path.utf8.count == start + name.count
      && path.utf8.dropFirst(start).elementsEqual(name) && path.utf8.starts(with: directory.utf8)
  }

  /// True if both files have the same path below the same volume, or the same path if a volume is not known. The mounts
  /// of the volume can differ.
  package func isSameSong(as other: MusicFile) -> Bool {
    guard pack.nameBytes(index).elementsEqual(other.pack.nameBytes(other.index)) else {
      return false
    }
    guard let volume, let second = other.volume else { return isAt(other.path) }
    return volume.identity == second.identity
      && pathInVolume.utf8.elementsEqual(other.pathInVolume.utf8)
  }

  /// Identifies the file by its volume, its path and a state. The number is the same in each run, and different for
  /// each file.
  /// - Parameter stamp: see ``stamp``.
  package func identity(stamp: UInt32) -> UInt64 {
    var hash = StableHash()
    hash.add((volume?.identity ?? "").utf8)
    hash.separate()
    hash.add(FileName.bytes(pathInVolume))
    hash.separate()
    hash.add(stamp)
    return hash.value
  }

  /// True if both files are of the same album and in the same folder.
  package func isOfAlbum(of other: MusicFile) -> Bool {
    directory == other.directory && album == other.album
  }

  /// True if the cover of the other file is assumed to be the cover of this file too, because both have one album.
  package func sharesCover(with other: MusicFile) -> Bool { album != nil && isOfAlbum(of: other) }
}

extension MusicFile: Equatable {
  /// True if all values are equal.
  public static func == (left: MusicFile, right: MusicFile) -> Bool {
    left.pack === right.pack && left.index == right.index
      || left.directory == right.directory && left.fileName == right.fileName
        && left.title == right.title && left.artist == right.artist && left.album == right.album
        && left.declaredSeconds == right.declaredSeconds && left.stamp == right.stamp
  }
}

// In Swift, a slash and a combining accent after it are one `Character`. So paths are split as bytes.

/// The last name of a path; `/` for the root.
package func lastComponent(_ path: String) -> String {
  path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? "/"
}

/// The path without slashes at its end.
package func withoutTrailingSlashes(_ path: String) -> String {
  var path = path
  while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") {
    path.unicodeScalars.removeLast()
  }
  return path
}
