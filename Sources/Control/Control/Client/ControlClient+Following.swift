package import BusMethods
internal import EventLoop
internal import LibraryModel
package import NowPlaying
internal import Reports

// Subscriptions. The client renews them after a restart of the daemon.
extension ControlClient {
  /// Subscribes to the state of Now Playing, also after each reconnection. The state is passed to ``onNowPlaying``.
  package func subscribe() {
    subscribesToState = true
    if registration == nil { subscribeNow() }
  }

  private func subscribeNow() {
    subscribe(to: NowPlaying1.state) { $0.show($1) }
  }

  /// Subscribes to a value and passes the present value to `show`. A value that cannot be read is reported to
  /// ``onProblem``. If there is no connection now, ``renew()`` subscribes later.
  @_semantics("optimize.sil.specialize.generic.never")
  private func subscribe<Value>(
    to followed: FollowedValue<Value>, _ show: @escaping (ControlClient, Value) -> Void
  ) {
    guard bus?.isReady == true else { return }
    call(followed.subscribe) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let value): show(self, value)
      case .failure(.unreadable(let reason)): onProblem?(reason)
      case .failure: break
      }
    }
  }

  /// Subscribes to the state of the phones, also after each reconnection. The state is passed to ``onPhones``.
  package func subscribeToPhones() {
    subscribesToPhones = true
    subscribe(to: Bluetooth1.phones) { $0.show($1) }
  }

  /// Subscribes to the library and to the volumes, also after each reconnection. Both are passed to ``onLibrary``
  /// together.
  package func subscribeToLibrary() {
    subscribesToLibrary = true
    subscribe(to: Sources1.sources) { $0.show($1) }
    subscribe(to: Library1.state) { $0.show($1) }
  }

  /// Subscribes to the settings, also after each reconnection. The settings are passed to ``onSettings``.
  package func subscribeToSettings() {
    subscribesToSettings = true
    subscribe(to: Settings1.state) { $0.show($1) }
  }

  /// Registers as a surface, also after each reconnection. The state of Now Playing is passed to ``onNowPlaying``.
  /// - Parameter onToken: called with a token, for the loop-back test (C7). Before this call, the client returns the
  ///   token to the daemon, which proves that commands reach the daemon. Call ``confirmShown(_:)`` with the token as
  ///   soon as the surface has drawn its next picture.
  package func register(
    as name: String, showsTemplate: Bool, onToken: @escaping (Int) -> Void
  ) {
    registration = Registration(name: name, showsTemplate: showsTemplate, onToken: onToken)
    if bus?.isReady == true { renewRegistration() }
  }

  /// Ends the registration as a surface. If ``subscribe()`` was called, the state of Now Playing is still passed to
  /// ``onNowPlaying``.
  package func unregister() {
    guard registration != nil else { return }
    registration = nil
    post(Surface1.unregister, ())
    if subscribesToState { subscribeNow() }
  }

  /// Confirms to the daemon that the surface has drawn a picture after it received the token.
  package func confirmShown(_ token: Int) {
    post(Surface1.confirmShown, token)
  }

  /// Reports what the surface shows (P12). Only a surface that can read back its own display calls this method.
  /// - Parameter onSettling: called if the report differs from the state, but the surface got this state only a moment
  ///   ago. Such a difference does not count yet. The surface must report again after `SurfaceGuard.settlingTime`.
  package func observed(_ facts: DisplayedState, onSettling: @escaping () -> Void = {}) {
    guard bus?.isReady == true else { return }
    call(Surface1.observed, facts) { result in
      if case .success(let verdict) = result, AnswerCoding.isSettling(verdict) { onSettling() }
    }
  }

  private func tokenReceived(_ token: Int) {
    post(Surface1.returnToken, token)
    registration?.onToken(token)
  }

  private func renewRegistration() {
    guard let registration else { return }
    let surface = SurfaceRegistration(
      name: registration.name, showsTemplate: registration.showsTemplate)
    call(Surface1.register, surface) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let state): show(state)
      // When the daemon is available again, `renew()` registers again.
      case .failure(.unreachable): break
      case .failure(let error):
        // The registration was refused, so a subscription provides the state of Now Playing instead.
        onProblem?("the daemon refused the registration as a surface: \(error)")
        subscribeNow()
      }
    }
  }

  /// Renews all subscriptions after a reconnection.
  func renew() {
    if registration != nil {
      renewRegistration()
    } else if subscribesToState {
      subscribeNow()
    }
    if subscribesToPhones { subscribeToPhones() }
    if subscribesToLibrary { subscribeToLibrary() }
    if subscribesToSettings { subscribeToSettings() }
    if !follows.isEmpty { follow() }
  }

  /// Starts (true) or stops (false) following the log, the trace, notices, the focus or the vehicle, also after each
  /// reconnection. Nil changes nothing.
  package func follow(
    log: Bool? = nil, trace: Bool? = nil, notices: Bool? = nil, focus: Bool? = nil,
    vehicle: Bool? = nil
  ) {
    func follow(_ subject: UnitSubject, _ isWanted: Bool?) {
      guard let isWanted else { return }
      if isWanted { follows.insert(subject) } else { follows.remove(subject) }
    }
    follow(.log, log)
    follow(.trace, trace)
    follow(.notices, notices)
    follow(.focus, focus)
    follow(.vehicle, vehicle)
    post(Unit1.follow, follows)
  }
}

// Signals of the daemon.
extension ControlClient {
  /// Subscribes to the daemon's signals. Called each time the connection is established.
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
    for observer in signalObservers { observer(self) }
  }

  /// Calls `handler` with each of these signals, also after each reconnection. Call this method before ``start()``.
  @_semantics("optimize.sil.specialize.generic.never")
  package func onSignal<Values>(
    _ signal: BusSignal<Values>, _ handler: @escaping (Values) -> Void
  ) {
    signalObservers.append { $0.observe(signal) { _, values in handler(values) } }
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
