internal import BusMethods
internal import EventLoop
internal import LibraryModel
internal import NowPlaying
internal import Reports

// Signals of the daemon.
extension ControlClient {
  /// Subscribes to the daemon's signals. Called each time when the connection is established.
  func listen() {
    observe(NowPlaying1.state.changed) { $0.show($1) }
    observe(Bluetooth1.phones.changed) { $0.show($1) }
    observe(Library1.state.changed) { $0.show($1) }
    observe(Sources1.sources.changed) { $0.show($1) }
    observe(Settings1.state.changed) { $0.show($1) }
    observe(Unit1.logLine) { $0.onLog?($1) }
    observe(Unit1.traceRecord) { client, entry in
      if let entry { client.onTrace?(entry) }
    }
    observe(Unit1.notice) { client, notice in
      if let notice { client.onNotice?(notice) }
    }
    observe(Unit1.filesUnplayable) { $0.onNotice?($1) }
    observe(Unit1.focusMoved) { client, move in
      if let move { client.onFocus?(move) }
    }
    observe(Unit1.vehicleChanged) { $0.onVehicle?($1) }
    observe(Surface1.channelToken) { $0.tokenReceived($1) }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private func observe<Values>(
    _ signal: BusSignal<Values>, _ handler: @escaping (ControlClient, Values) -> Void
  ) {
    let match = try? bus?.match(signal, at: ControlInterface.path) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let values): handler(self, values)
      case .failure(let error): onProblem?("a signal of the daemon cannot be read: \(error)")
      }
    }
    if let match { matches.append(match) }
  }

  func show(_ state: NowPlayingState) {
    nowPlaying = state
    onNowPlaying?(state)
  }

  func show(_ state: PhonesState) {
    phones = state
    onPhones?(state)
  }

  func show(_ state: LibraryState) {
    var state = state
    state.volumes = volumes
    library = state
    onLibrary?(state)
  }

  func show(_ new: [VolumeState]) {
    volumes = new
    guard var state = library else { return }
    state.volumes = new
    library = state
    onLibrary?(state)
  }

  func show(_ state: SettingsState) {
    settings = state
    onSettings?(state)
  }
}
