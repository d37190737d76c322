/// Files that were moved.
public struct MovedFiles: Equatable, Sendable {
  /// A file that was moved.
  public struct File: Equatable, Sendable {
    /// The index of the path in the request, from 0.
    public var index: Int
    /// The song with the same sound.
    public var track: LibraryTrack

    public init(index: Int, track: LibraryTrack) {
      self.index = index
      self.track = track
    }
  }

  /// Number of paths that were examined. The answer has no room for the others.
  public var examined = 0
  /// The files that have moved.
  public var files: [File] = []

  /// No files.
  public init() {}
}
