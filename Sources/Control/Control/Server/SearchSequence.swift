internal import BusMethods
internal import LibraryModel
internal import NowPlaying
internal import Reports

/// The numbered searches of one client. The client sends a new search for each letter that the user types, and each new
/// search replaces the older searches. The library gets only one search of a client at a time. So the last answer
/// arrives soon, even if the user types quickly.
final class SearchSequence {
  /// A search, and the library at the time of its arrival.
  private struct Search {
    let call: ServedCall<NumberedSearch, SearchAnswer>
    let library: any ControlledLibrary
  }

  private enum State {
    case idle
    case searching(Search)
    /// A newer search has replaced the running search. The newer search starts when the running search ends.
    case replaced(by: Search)
  }

  private var state = State.idle

  /// Starts a search. If the previous search has no answer yet, refuses the previous search.
  func begin(
    _ call: ServedCall<NumberedSearch, SearchAnswer>, in library: any ControlledLibrary
  ) {
    let search = Search(call: call, library: library)
    switch state {
    case .idle: start(search)
    case .searching(let older), .replaced(by: let older):
      state = .replaced(by: search)
      older.call.refuse(Refusal(.superseded, "a newer search has replaced this one"))
    }
  }

  /// Forgets the searches, because the client has disconnected.
  func end() { state = .idle }

  private func start(_ search: Search) {
    state = .searching(search)
    search.library.find(search.call.arguments.request) { [weak self] in self?.finish($0) }
  }

  private func finish(_ result: Result<LibraryFindings, LibraryFailure>) {
    switch state {
    case .idle: break
    case .searching(let search):
      state = .idle
      search.call.finish(result) {
        SearchAnswer(number: search.call.arguments.number, found: $0)
      }
    case .replaced(by: let newest): start(newest)
    }
  }
}
