package import LibraryModel
package import NowPlaying
internal import Reports

extension Refusal {
  /// Creates a refusal from the reason why the library does not answer.
  package init(_ failure: LibraryFailure) {
    self =
      switch failure {
      case .unavailable:
        Refusal(
          .libraryUnavailable, "the library is not available", remedy: "try again in a moment")
      case .off: Refusal(.noLibrary, "this unit runs without the library")
      case .safeMode: .safeMode
      case .busy: Refusal(.tooManyCalls, "too many requests wait for the library")
      case .unknownNode: Refusal(.noSuchItem, "there is no such list")
      case .noQuery: Refusal(.invalidArguments, "the query has no letters and no digits")
      case .failed(let text): Refusal(.failed, "the library cannot answer: \(text)")
      }
  }
}
