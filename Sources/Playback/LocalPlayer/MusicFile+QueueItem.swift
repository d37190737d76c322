public import MusicFiles
public import NowPlaying

extension MusicFile: QueueItem {
  /// The directory and the title of the album. Files of different directories are not of one album.
  public var albumIdentity: String { "\(directory)\0\(album ?? "")" }

  /// A hash of the volume and of the path in the volume.
  public var songKey: UInt64 { identity(stamp: 0) }
}
