// The operations that sources call through their ``MediaSession``.
extension NowPlayingCenter {
  /// Opens a session. The new session is inactive and empty. If a session with the same identity exists, the center
  /// ends it.
  ///
  /// - Parameters:
  ///   - audio: defines how the sound of the session combines with the sound of other sessions (E3).
  ///   - starts: whether the session becomes Now Playing because it starts to play.
  ///   - didConnect: configures the template. Called when a screen connects, and at once if a screen is connected
  ///     already (T1).
  ///   - instruct: gets the instructions about the sound.
  public func openSession(
    _ id: SessionID, audio: AudioSession = AudioSession(), starts: StartRule = .always,
    didConnect: ((SurfaceDescription, inout NowPlayingTemplate) -> Void)? = nil,
    instruct: @escaping (SessionInstruction) -> Void, at now: MonotonicInstant
  ) -> MediaSession {
    lastGeneration += 1
    let generation = lastGeneration
    change(at: now) {
      if let old = records.first(where: { $0.id == id }) {
        end(id, old.generation, notifyingOthers: true, at: now)
      }
      records.append(
        SessionRecord(
          id: id, generation: generation, audio: audio, starts: starts, instruct: instruct,
          didConnect: didConnect))
      for surface in surfaces where surface.description.showsTemplate {
        configure(id, generation, for: surface.description)
      }
    }
    return MediaSession(id, generation: generation, center: self)
  }

  func publish(
    _ description: SessionDescription, _ id: SessionID, _ generation: Int, at now: MonotonicInstant
  ) {
    change(at: now) {
      guard let index = session(id, generation) else { return }
      // The old closures are released after the change of the record, because their release can call the center.
      let old = records[index].description
      switch records[index].apply(description, mayStart: mayStart(index), at: now) {
      case .started: claim(index, .started)
      case .stopped:
        wishes.stopped(id)
        note(.stopped(id, records[index].reported?.status ?? .stopped))
      case nil: break
      }
      withExtendedLifetime(old) {}
    }
  }

  func activate(_ id: SessionID, _ generation: Int, at now: MonotonicInstant) {
    guard let index = session(id, generation), !records[index].isActive else { return }
    change(at: now) { records[index].isActive = true }
  }

  func deactivate(
    _ id: SessionID, _ generation: Int, notifyingOthers: Bool, at now: MonotonicInstant
  ) -> DeactivationAnswer {
    change(at: now) {
      guard let index = session(id, generation), records[index].isActive else { return .done }
      guard !records[index].isPlayingOrBuffering else { return .stillPlaying }
      records[index].isActive = false
      records[index].intent = .pause
      records[index].isResuming = false
      if !notifyingOthers { forgetIntents(heldFor: id) }
      return .done
    }
  }

  func becomeActive(
    _ id: SessionID, _ generation: Int, isWanted: Bool, at now: MonotonicInstant
  ) -> PrimaryAnswer {
    change(at: now) {
      guard let index = session(id, generation) else { return .refused([]) }
      let missing = records[index].candidate.missingParts
      guard missing.isEmpty, isWanted || mayStart(index) else { return .refused(missing) }
      if isWanted { want(index) }
      // The report that it plays came before the request. A later report that it plays is then not a start.
      if records[index].isPlayingOrBuffering {
        records[index].intent = .play
        wishes.started(id)
      }
      if arbitration.primary == id { return .alreadyPrimary }
      claim(index, .chosen)
      return .granted
    }
  }

  func noteWanted(_ id: SessionID, _ generation: Int, at now: MonotonicInstant) {
    change(at: now) {
      if let index = session(id, generation) { want(index) }
    }
  }

  func requestPlay(_ id: SessionID, _ generation: Int, at now: MonotonicInstant) {
    change(at: now) {
      guard let index = session(id, generation) else { return }
      records[index].intent = .play
      want(index)
      wishes.started(id)
      records[index].isPlayRequestedWhileHeld = records[index].sound.hold != nil
      if arbitration.primary != id { claim(index, .chosen) }
    }
  }

  func setOutputLost(
    _ isLost: Bool, _ id: SessionID, _ generation: Int, at now: MonotonicInstant
  ) {
    change(at: now) {
      guard let index = session(id, generation), records[index].isOutputLost != isLost else {
        return
      }
      records[index].isOutputLost = isLost
      note(isLost ? .outputLost(id) : .outputRegained(id))
      // If the output is back and people want this session to play, this session becomes primary. But if another
      // session is primary and plays, the other session stays primary.
      let isOtherSounding = records.contains {
        $0.id == arbitration.primary && $0.id != id && $0.isPlayingOrBuffering
      }
      if !isLost, records[index].intent == .play, !isOtherSounding {
        claim(index, .outputRegained)
      }
    }
  }

  func end(
    _ id: SessionID, _ generation: Int, notifyingOthers: Bool, at now: MonotonicInstant?
  ) {
    guard session(id, generation) != nil else { return }
    change(at: now) {
      guard let index = session(id, generation) else { return }
      if heldSeek?.session == id { heldSeek = nil }
      records.remove(at: index)
      if !notifyingOthers { forgetIntents(heldFor: id) }
      // The pending commands are answered after the removal. So the callers that get these answers no longer find the
      // session.
      for number in pending.filter({ $0.value.session == id }).keys.sorted() {
        finish(number, .failed(Refusal(.sessionEnded, "the session has ended")), at: latest)
      }
    }
  }

  func session(_ id: SessionID, _ generation: Int) -> Int? {
    records.firstIndex { $0.id == id && $0.generation == generation }
  }

  func verdict(_ id: SessionID, _ generation: Int) -> Arbitration.Verdict? {
    session(id, generation).flatMap { _ in arbitration[id] }
  }

  private func claim(_ index: Int, _ reason: SoundChange.PrimaryReason) {
    lastClaim += 1
    records[index].claim = lastClaim
    records[index].claimReason = reason
    if reason == .started { wishes.started(records[index].id) }
    // A source of the unit, or a phone, starts because a person wants it.
    if records[index].starts == .always { forgetWanted() }
  }

  /// Call this when a source has come back. Returns true, once, if people want it to play (``PlayWishes``).
  public func takePlay(of id: SessionID) -> Bool { wishes.takePlay(of: id) }

  /// Stores that a person has requested something of the session, other than silence. A late start of a source that
  /// was requested earlier is then no claim any more: the last person wins.
  func want(_ index: Int) {
    forgetWanted()
    records[index].wantedUntil = latest.advanced(by: StartRule.window)
  }

  private func forgetWanted() {
    for index in records.indices { records[index].wantedUntil = nil }
  }

  /// True if a start of the session is a claim (E5, ``StartRule``).
  private func mayStart(_ index: Int) -> Bool {
    let record = records[index]
    if record.starts == .always || record.isResuming { return true }
    if let until = record.wantedUntil, latest <= until { return true }
    let other = records.first { $0.id == arbitration.primary && $0.id != record.id }
    return other.map { $0.intent == .pause } ?? true
  }

  /// Prevents the sessions that are held (silenced) because of the primary session `id` from resuming by themselves.
  /// Does nothing if `id` is not primary, because only the primary session causes holds of other sessions.
  private func forgetIntents(heldFor id: SessionID) {
    if arbitration.primary == id { forgetIntents(except: id) }
  }

  /// Prevents held sessions other than `id` from resuming by themselves. But a session resumes if a command requested
  /// *play* for it during the hold.
  func forgetIntents(except id: SessionID?) {
    for index in records.indices
    where records[index].id != id && !records[index].isPlayRequestedWhileHeld {
      if records[index].sound.hold != nil { records[index].intent = .pause }
    }
  }

  // MARK: Template

  func configure(_ id: SessionID, _ generation: Int, for surface: SurfaceDescription) {
    guard let index = session(id, generation), let hook = records[index].didConnect else { return }
    var template = records[index].template
    hook(surface, &template)
    setTemplate(template, id, generation)
  }

  func updateTemplate(
    _ id: SessionID, _ generation: Int, isLate: Bool?, at now: MonotonicInstant,
    _ update: (inout NowPlayingTemplate) -> Void
  ) {
    change(at: now) {
      guard let index = session(id, generation) else { return }
      var template = records[index].template
      update(&template)
      setTemplate(template, id, generation)
      guard let index = session(id, generation) else { return }
      // A source with `didConnect` configures the template at each connection. So a later change is not a fault: for
      // example, a person has changed the configuration.
      if isLate ?? (records[index].didConnect == nil), hasScreen {
        records[index].lateConfigurations += 1
      }
    }
  }

  /// Stores a template. The code that made the template can open and end sessions, so the index is looked up again. The
  /// old closures are released after the change of the record, because their release can call the center.
  private func setTemplate(_ template: NowPlayingTemplate, _ id: SessionID, _ generation: Int) {
    guard let index = session(id, generation) else { return }
    let old = records[index].template
    records[index].template = template
    withExtendedLifetime(old) {}
  }
}
