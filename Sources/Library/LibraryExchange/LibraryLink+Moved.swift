internal import EventLoop
package import LibraryModel

extension LibraryLink {
  /// Maximum number of paths of a question about moved files.
  package static let maximumPaths = 200
  /// Maximum bytes of the paths of a question. A single path may have more.
  package static let maximumPathBytes = 32 << 10

  /// Asks where files of a volume are now. `completion` is called once, within two seconds.
  package func moved(
    _ paths: [[UInt8]], on volume: String,
    completion: @escaping (Result<MovedFiles, LibraryFailure>) -> Void
  ) {
    ask(
      "FindMoved", [.string(volume), TrackCoding.value(of: paths)],
      { answer throws(AnswerFault) in try TrackCoding.moved(&answer, asked: paths.count) },
      completion)
  }
}
