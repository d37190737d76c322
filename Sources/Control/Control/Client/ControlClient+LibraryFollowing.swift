internal import EventLoop
internal import LibraryModel

// The subscription to the library and to the places with music.
extension ControlClient {
  /// Subscribes to the library and to the places with music, also after each reconnection. Both are passed
  /// to ``onLibrary`` together.
  package func subscribeToLibrary() {
    subscribesToLibrary = true
    guard bus?.isReady == true else { return }
    call(ControlInterface.sources, "Subscribe", then: noteUnreadable) { [weak self] in
      try self?.showSources($0)
    }
    call(ControlInterface.library, "Subscribe", then: noteUnreadable) { [weak self] in
      try self?.showLibrary($0)
    }
  }

  private func noteUnreadable(_ result: Result<Void, ControlError>) {
    if case .failure(.unreadable(let reason)) = result { onProblem?(reason) }
  }

  func showSources(_ values: [BusValue]) throws(WireError) {
    guard let value = values.first else { throw WireError("sources", "empty") }
    sourcesValue = value
    guard let library else { return }
    var state = library
    state.sources = try LibraryCoding.sources(value)
    self.library = state
    onLibrary?(state)
  }

  func showLibrary(_ values: [BusValue]) throws(WireError) {
    guard let value = values.first else { throw WireError("library", "empty") }
    let state = try LibraryCoding.state(value, sources: sourcesValue ?? .array(of: "a{sv}", []))
    library = state
    onLibrary?(state)
  }
}
