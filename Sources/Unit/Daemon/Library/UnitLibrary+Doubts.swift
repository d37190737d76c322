internal import Control
internal import LibraryExchange
internal import LibraryModel

extension UnitLibrary {
  func doubts(completion: @escaping (Result<LibraryDoubts, LibraryFailure>) -> Void) {
    link.ask(LibraryProcess1.getDoubts, (), completion)
  }
}

extension UnitLists {
  /// The playlists of the unit itself are not examined.
  func doubts(completion: @escaping (Result<LibraryDoubts, LibraryFailure>) -> Void) {
    if let absence = library.absence { return completion(.failure(absence)) }
    library.doubts(completion: completion)
  }
}
