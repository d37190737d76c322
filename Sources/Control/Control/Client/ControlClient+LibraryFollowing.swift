internal import EventLoop
internal import LibraryModel

// The subscription to the library and to the places with music.
extension ControlClient {
  /// Subscribes to the library and to the places with music, also after each reconnection. Both are passed
  /// to ``onLibrary`` together.
  package func subscribeToLibrary() {
    subscribesToLibrary = true
    guard bus?.isReady == true else { return }
    subscribe(to: ControlInterface.sources) { try $0.showSources($1) }
    subscribe(to: ControlInterface.library) { try $0.showLibrary($1) }
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
