internal import EventLoop
package import LibraryModel

extension LibraryLink {
  /// Asks what is doubtful in tags and playlists. `completion` is called once, within two seconds.
  package func doubts(
    completion: @escaping (Result<LibraryDoubts, LibraryFailure>) -> Void
  ) {
    ask(
      "GetDoubts", [],
      { answer throws(AnswerFault) in try DoubtCoding.doubts(&answer) }, completion)
  }
}
