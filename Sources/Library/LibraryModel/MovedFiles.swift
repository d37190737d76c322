/// The answer to a ``MovedRequest``: the files that were moved.
public struct MovedFiles: Equatable, Sendable {
  /// A file that was moved.
  public struct File: Equatable, Sendable {
    /// The index of the path in the request, from 0.
    public var index: Int
    /// The song that replaces the file: it has the same sound, or is the same track in another quality.
    public var track: LibraryTrack

    public init(index: Int, track: LibraryTrack) {
      self.index = index
      self.track = track
    }
  }

  /// Number of paths that were examined. The answer has no room for the results of the other paths.
  public var examined = 0
  /// The examined files that were moved.
  public var files: [File] = []

  /// Creates an answer without files.
  public init() {}
}
