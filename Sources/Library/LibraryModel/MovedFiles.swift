/// Files that are at another place now.
public struct MovedFiles: Equatable, Sendable {
  /// A file with its new place.
  public struct File: Equatable, Sendable {
    /// The number of the path in the request, from 0.
    public var place: Int
    /// The song with the same sound.
    public var track: LibraryTrack

    public init(place: Int, track: LibraryTrack) {
      self.place = place
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
