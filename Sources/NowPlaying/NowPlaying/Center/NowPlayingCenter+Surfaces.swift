// The operations of surfaces, which they call through their ``SurfacePort``.
extension NowPlayingCenter {
  /// Connects a surface. Must be called after the channel of the surface is connected (C8). The
  /// surface gets the state at once, and then each new state. If a surface with the same identity
  /// is connected, the center disconnects it first.
  ///
  /// - Parameter show: called on the control thread. The surface can send commands during the call.
  ///   The effect of these commands arrives with the next state.
  public func connect(
    _ description: SurfaceDescription, at now: MonotonicInstant,
    show: @escaping (NowPlayingState) -> Void
  ) -> SurfacePort {
    lastGeneration += 1
    let generation = lastGeneration
    change(at: now) {
      if let old = surfaces.first(where: { $0.description.id == description.id }) {
        disconnect(description.id, old.generation, at: now)
      }
      surfaces.append(SurfaceRecord(description: description, generation: generation, show: show))
      if description.showsTemplate {
        hadScreen = true
        for (id, generation) in records.map({ ($0.id, $0.generation) }) {
          configure(id, generation, for: description)
        }
      }
    }
    return SurfacePort(description.id, generation: generation, center: self)
  }

  /// - Parameter isMissed: false if the surface has said that it ends. Then no check reports that a
  ///   screen is missing.
  func disconnect(
    _ id: SurfaceID, _ generation: Int, isMissed: Bool = true, at now: MonotonicInstant?
  ) {
    guard surface(id, generation) != nil else { return }
    change(at: now) {
      if heldSeek?.surface == id { endHeldSeek() }
      guard let index = surfaceIndex(id, generation) else { return }
      // The record is released after the change of the list, because this release can call the
      // center.
      let removed = surfaces.remove(at: index)
      if !isMissed, removed.description.showsTemplate {
        hadScreen = surfaces.contains(where: \.description.showsTemplate)
      }
      withExtendedLifetime(removed) {}
    }
  }

  func surface(_ id: SurfaceID, _ generation: Int) -> SurfaceRecord? {
    surfaceIndex(id, generation).map { surfaces[$0] }
  }

  private func surfaceIndex(_ id: SurfaceID, _ generation: Int) -> Int? {
    surfaces.firstIndex { $0.description.id == id && $0.generation == generation }
  }

  func observed(
    _ facts: DisplayedState, on id: SurfaceID, _ generation: Int, at now: MonotonicInstant
  ) -> SurfaceGuard.Verdict {
    change(at: now) {
      guard let index = surfaceIndex(id, generation) else { return .nothingExpected }
      let verdict = surfaces[index].check.observed(facts, at: now)
      if case .repair = verdict {
        let show = surfaces[index].show
        show(state)
      }
      return verdict
    }
  }

  func checkChannel(
    _ id: SurfaceID, _ generation: Int, at now: MonotonicInstant,
    _ step: (inout ChannelCheck) -> Void
  ) {
    change(at: now) {
      if let index = surfaceIndex(id, generation) { step(&surfaces[index].channel) }
    }
  }

  // MARK: Template observers

  /// Adds an observer of the two optional buttons of the template (T4). The center has only a weak
  /// reference to the observer.
  public func add(_ observer: any NowPlayingTemplateObserver) {
    remove(observer)
    observers.append(WeakObserver(observer))
  }

  /// Removes an observer.
  public func remove(_ observer: any NowPlayingTemplateObserver) {
    observers.removeAll { $0.observer == nil || $0.observer === observer }
  }
}

/// A weak reference to an observer.
struct WeakObserver {
  weak var observer: (any NowPlayingTemplateObserver)?

  init(_ observer: any NowPlayingTemplateObserver) { self.observer = observer }
}
