internal import EventLoop
internal import LibraryModel
internal import NowPlaying
internal import Reports

/// The numbered searches of a client, which searches again with each letter that a person types. A newer search
/// replaces the older ones. The library gets one search of a client at a time, so the last answer comes soon, also if
/// letters are typed quickly.
final class SearchSequence {
  /// A search with a number.
  struct Search {
    let call: MethodCall
    /// The number that the client has given, other than 0.
    let number: Int
    let request: SearchRequest
    let library: any ControlledLibrary
  }

  private enum State {
    case idle
    case searching(Search)
    /// A newer search has replaced the running one, and starts when the running one ends.
    case replaced(by: Search)
  }

  private var state = State.idle

  /// Searches, and refuses the search before if it has no answer yet.
  func begin(_ search: Search) {
    switch state {
    case .idle: start(search)
    case .searching(let older), .replaced(by: let older):
      state = .replaced(by: search)
      older.call.fail(
        RefusalCoding.error(
          ControlError.refusedName, Refusal(.superseded, "a newer search has replaced this one")))
    }
  }

  private func start(_ search: Search) {
    state = .searching(search)
    search.library.find(search.request) { [weak self] result in self?.finish(result) }
  }

  private func finish(_ result: Result<LibraryFindings, LibraryFailure>) {
    switch state {
    case .idle: break
    case .searching(let search):
      state = .idle
      ControlServer.answer(search.call, result, number: search.number)
    case .replaced(by: let newest): start(newest)
    }
  }
}
