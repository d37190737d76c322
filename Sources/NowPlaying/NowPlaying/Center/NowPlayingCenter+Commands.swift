// Receives a command, checks it, passes it to the source, and records the answer and the effect.
extension NowPlayingCenter {
  func receive(
    _ request: CommandRequest, from surface: SurfaceID, _ generation: Int, on inputPath: InputPath,
    of origin: PressOrigin?, isRepeat: Bool, pressed: MonotonicInstant, at now: MonotonicInstant,
    answer: @escaping (CommandAnswer) -> Void
  ) -> Int {
    change(at: now) {
      let number = trace.receive(request, from: surface, of: origin, on: inputPath, at: now)
      let press = Press(number: number, surface: surface, at: now, answer: answer)
      guard self.surface(surface, generation) != nil else {
        refuse(press, .notConnected)
        return number
      }
      switch merger.classify(
        request, from: surface, of: origin, on: inputPath, isRepeat: isRepeat, number: number,
        at: pressed)
      {
      case .keyRepeat: refuse(press, .keyRepeat)
      case .same(let other): join(press, other)
      case .new: perform(request, press)
      }
      return number
    }
  }

  func perform(_ request: CommandRequest, _ press: Press) {
    switch request {
    case .media(let request):
      route(request, press)
    case .volume(let request):
      let before = volume
      volume.apply(request)
      // If the volume does not change, there is no effect to hear. Example: *louder* at the maximum.
      if volume == before { return answerAtOnce(press, .unchanged) }
      trace.update(press.number) { $0.verdict = .accepted(nil) }
      answer(press, .success)
    case .template(let request):
      tap(request, press)
    case .list(let request):
      pass(request, press)
    }
  }

  /// Records when the effect of a volume command was heard. Called by the code that sets the gain of the head unit.
  public func volumeHeard(
    _ number: Int, at moment: MonotonicInstant, handedOver: MonotonicInstant? = nil
  ) {
    guard case .volume = trace[number]?.request else { return }
    trace.noteEffect(number, handedOver: handedOver, heard: moment)
  }

  // MARK: Media commands

  private func route(_ request: MediaRequest, _ press: Press) {
    guard let index = receiver(of: request) else {
      if performsLater(request, trace[press.number]?.origin) {
        return answerAtOnce(press, .deferred)
      }
      return refuse(press, .nothingPlaying)
    }
    let request = resolved(request, for: records[index])
    if let seek = heldSeek, seek.session == records[index].id, request == seek.end {
      return releaseHeldSeek(seek, index, press)
    }
    if let obstacle = records[index].obstacle(to: request.kind) { return refuse(press, obstacle) }
    guard let offer = records[index].offers.first(where: { $0.kind == request.kind }) else {
      return refuse(press, .notOffered(request.kind))
    }
    if let refusal = offer.refusal(of: request) { return refuse(press, refusal) }
    let id = records[index].id
    if isSettled(request, index, press) { return }
    // `isSettled` can end a held seek, and the handler of this seek can end sessions. So the index is looked up again.
    guard let index = records.firstIndex(where: { $0.id == id }) else {
      return refuse(press, .nothingPlaying)
    }
    pass(gross(offer.completed(request), for: records[index]), to: index, press)
  }

  /// Replaces a toggle with play or pause, depending on ``SessionRecord/Intent``. So surfaces need no state of their
  /// own for a toggle (S4, C9).
  private func resolved(_ request: MediaRequest, for record: SessionRecord) -> MediaRequest {
    guard request == .togglePlayPause else { return request }
    let wanted: MediaRequest = record.intent == .play ? .pause : .play
    let isOffered = record.offers.contains { $0.kind == wanted.kind && $0.isEnabled }
    return isOffered ? wanted : request
  }

  /// Converts the target of a seek. Surfaces use net times (without advertisements), sources use gross times (P8).
  private func gross(_ request: MediaRequest, for record: SessionRecord) -> MediaRequest {
    guard case .seekToPosition(let net) = request else { return request }
    return .seekToPosition(record.timeline.seekTarget(net: net))
  }

  /// Stores the new intent. If the source has nothing to do, this method answers the command and returns true.
  private func isSettled(_ request: MediaRequest, _ index: Int, _ press: Press) -> Bool {
    let record = records[index]
    switch request {
    case .play:
      // A source that has ended its sound activates its audio session when it gets the command (E2).
      if let hold = record.sound.hold, hold != .audioSessionInactive {
        // The session must be silent now. The source gets the instruction to resume when this hold ends (E4).
        records[index].intent = .play
        wishes.started(record.id)
        records[index].isPlayRequestedWhileHeld = true
        answerAtOnce(press, .deferred)
        return true
      }
      let isPlaying = record.reported?.status == .playing || record.reported?.state == .buffering
      if record.intent == .play, isPlaying || record.isResuming {
        answerAtOnce(press, .unchanged)
        return true
      }
      records[index].intent = .play
      wishes.started(record.id)
    case .pause, .stop:
      wishes.stopped(record.id)
      records[index].wantedUntil = nil
      if record.intent == .play {
        note(.paused(record.id, by: press.surface, command: press.number))
      }
      cancelResuming(index)
      guard !record.isPlayingOrBuffering, !record.description.awaitsContent else { return false }
      let hasPauseIntent = record.intent == .pause
      if request == .pause, hasPauseIntent {
        answerAtOnce(press, .unchanged)
      } else if request == .pause, record.sound.hold != nil {
        // The source is already silent, so it does not need the command. `cancelResuming` ensures that the source does
        // not resume after the hold (E4).
        answerAtOnce(press, .deferred)
      } else if request == .stop, hasPauseIntent, record.isStopped {
        answerAtOnce(press, .unchanged)
      } else {
        return false
      }
      return true
    case .togglePlayPause:
      if record.intent == .play {
        wishes.stopped(record.id)
        cancelResuming(index)
      } else {
        wishes.started(record.id)
        records[index].intent = .play
      }
    case .seekForward(let phase), .seekBackward(let phase):
      return isHeldSeekSettled(request.kind, phase, record.id, press)
    default:
      break
    }
    return false
  }

  /// Called when a person requests silence. After this call, neither this session nor any held session resumes by
  /// itself.
  private func cancelResuming(_ index: Int) {
    for other in records.indices where other == index || records[other].sound.hold != nil {
      records[other].intent = .pause
      records[other].isPlayRequestedWhileHeld = false
      records[other].isResuming = false
    }
  }

  private func pass(_ request: MediaRequest, to index: Int, _ press: Press) {
    guard let command = records[index].command(request.kind) else {
      return refuse(press, .notOffered(request.kind))
    }
    if request != .pause, request != .stop { want(index) }
    let reply = expectAnswer(press, session: records[index].id, kind: request.kind)
    command.perform(request, reply)
  }

  // MARK: Held seek keys

  /// Ends a held seek, because its key was released. The release is passed to the source even if the source has
  /// disabled the command in the meantime.
  private func releaseHeldSeek(_ seek: HeldSeek, _ index: Int, _ press: Press) {
    heldSeek = nil
    guard records[index].offers.contains(where: { $0.kind == seek.kind }) else {
      return answerAtOnce(press, .unchanged)
    }
    pass(seek.end, to: index, press)
  }

  private func isHeldSeekSettled(
    _ kind: CommandKind, _ phase: MediaRequest.SeekPhase, _ session: SessionID, _ press: Press
  ) -> Bool {
    let isHeld = heldSeek?.kind == kind && heldSeek?.session == session
    guard phase == .begin, !isHeld else {
      answerAtOnce(press, .unchanged)
      return true
    }
    // If another seek key is held, for example for the opposite direction, the earlier seek ends before the new seek
    // begins.
    endHeldSeek()
    heldSeek = HeldSeek(session: session, surface: press.surface, kind: kind)
    return false
  }

  /// Ends a held seek whose release will not arrive, because the surface was removed, the session is no longer primary,
  /// or another seek begins.
  func endHeldSeek() {
    guard let seek = heldSeek else { return }
    heldSeek = nil
    guard let record = records.first(where: { $0.id == seek.session }),
      let command = record.description.commands.first(where: { $0.offer.kind == seek.kind })
    else { return }
    command.perform(seek.end, CommandReply(onAnswer: { _, _ in }, onHeard: { _, _ in }))
  }

  // MARK: Answers

  private func expectAnswer(_ press: Press, session: SessionID, kind: CommandKind?) -> CommandReply
  {
    let number = press.number
    trace.update(number) { $0.verdict = .accepted(session) }
    pending[number] = PendingCommand(
      session: session, kind: kind, deadline: press.at.advanced(by: CommandReply.limit),
      waiters: [(number, press.answer)])
    return CommandReply(
      onAnswer: { [weak self] answer, now in
        guard let self else { return }
        change(at: now) { finish(number, answer, at: now ?? latest) }
      },
      onHeard: { [weak self] handedOver, heard in
        self?.trace.noteEffect(number, handedOver: handedOver, heard: heard)
      },
      onDefer: { [weak self] now in
        self?.change(at: now) {
          self?.trace.update(number) { $0.verdict = .deferred }
          self?.finish(number, .success, at: now)
        }
      })
  }

  /// Answers a pending command: with the answer of the source, or with an error if the source does not answer.
  func finish(_ number: Int, _ answer: CommandAnswer, at now: MonotonicInstant) {
    guard let command = pending.removeValue(forKey: number) else { return }
    if answer != .success { resetIntent(command) }
    for waiter in command.waiters {
      trace.update(waiter.number) {
        $0.answer = answer
        $0.performed = now
      }
      waiter.answer(answer)
    }
  }

  /// Called for a command that failed. After *play*, *pause*, *stop* or the toggle of play and pause, sets the intent
  /// to what the source really does. The intent of a held session does not change.
  private func resetIntent(_ command: PendingCommand) {
    guard [.play, .pause, .stop, .togglePlayPause].contains(command.kind),
      let index = records.firstIndex(where: { $0.id == command.session }),
      records[index].sound.hold == nil
    else { return }
    let plays = records[index].isPlayingOrBuffering
    records[index].intent = plays ? .play : .pause
    if plays { wishes.started(command.session) } else { wishes.stopped(command.session) }
  }

  /// Called for a further arrival of a press. This arrival gets the answer of the first arrival, whose number is
  /// `other`.
  private func join(_ press: Press, _ other: Int) {
    trace.update(press.number) { $0.verdict = .merged(with: other) }
    if pending[other] != nil {
      pending[other]?.waiters.append((press.number, press.answer))
    } else {
      answer(press, trace[other]?.answer ?? .success)
    }
  }

  private func answerAtOnce(_ press: Press, _ verdict: CommandRecord.Verdict) {
    trace.update(press.number) { $0.verdict = verdict }
    answer(press, .success)
  }

  func refuse(_ press: Press, _ refusal: CommandRefusal) {
    trace.update(press.number) { $0.verdict = .refused(refusal) }
    answer(press, refusal.answer)
  }

  func answer(_ press: Press, _ answer: CommandAnswer) {
    trace.update(press.number) {
      $0.answer = answer
      $0.performed = press.at
    }
    press.answer(answer)
  }

  // MARK: Taps on the buttons of the template

  func tap(_ request: TemplateRequest, _ press: Press) {
    guard let place = records.firstIndex(where: { $0.id == arbitration.primary }) else {
      return refuse(press, .nothingPlaying)
    }
    let record = records[place]
    switch request {
    case .button(let number):
      // The buttons of the unit follow those of the source, which have the numbers below `maximumButtons`.
      let isOfUnit = number >= NowPlayingTemplate.maximumButtons
      let index = isOfUnit ? number - NowPlayingTemplate.maximumButtons : number
      let buttons = isOfUnit ? record.template.unitButtons : record.template.nowPlayingButtons
      let shown = isOfUnit ? state.template.unitButtons : state.template.buttons
      guard buttons.indices.contains(index), shown.indices.contains(index) else {
        return refuse(press, .noButton(number))
      }
      let button = buttons[index]
      guard shown[index].isEnabled else {
        let isOfCommand = button.isEnabled && button.handler == nil
        let obstacle = isOfCommand ? button.command.flatMap { record.obstacle(to: $0) } : nil
        return refuse(press, obstacle ?? .buttonDisabled(number))
      }
      if let handler = button.handler {
        if !isOfUnit { want(place) }
        return handler(expectAnswer(press, session: record.id, kind: nil))
      }
      let offer = button.command.flatMap { kind in
        record.shownOffers.first { $0.kind == kind }
      }
      if let request = button.request {
        return perform(request.clearingSetMark(where: offer), press)
      }
      guard
        let next = offer.flatMap({
          NextMode.request(for: $0, rate: record.anchor?.defaultPlaybackRate ?? 1)
        })
      else { return refuse(press, .buttonDisabled(number)) }
      route(next, press)
    case .upNext:
      notify(press, if: record.template.isUpNextButtonEnabled) {
        $0.nowPlayingTemplateUpNextButtonTapped(record.id)
      }
    case .albumArtist:
      notify(press, if: record.template.isAlbumArtistButtonEnabled) {
        $0.nowPlayingTemplateAlbumArtistButtonTapped(record.id)
      }
    }
  }

  private func notify(
    _ press: Press, if isOn: Bool, _ call: (any NowPlayingTemplateObserver) -> Void
  ) {
    let observers = observers.compactMap(\.observer)
    guard isOn, !observers.isEmpty else { return refuse(press, .noObserver) }
    trace.update(press.number) { $0.verdict = .accepted(nil) }
    for observer in observers { call(observer) }
    answer(press, .success)
  }

  // MARK: The owners of lists, and of queues

  /// Registers an owner of lists, and keeps a weak reference to the owner. The owner gets the requests for which
  /// ``ListRequest/owner`` is equal to `prefix`. The prefix is empty for the lists of the unit.
  public func add(listOwner owner: any ListOwner, prefix: String = "") {
    listOwners[prefix] = WeakListOwner(owner: owner)
  }

  func pass(_ request: ListRequest, _ press: Press) {
    guard let owner = listOwners[request.owner]?.owner else { return refuse(press, .noListOwner) }
    let reply = expectAnswer(press, session: owner.listSession, kind: nil)
    owner.perform(request, reply)
  }

  /// The index of the session that gets a command. This is the primary session. But a command for a queue goes to the
  /// session of the owner of this queue: while a phone plays, people also see the queue of the unit, and the phone can
  /// have a queue too.
  func receiver(of request: MediaRequest) -> Int? {
    let primary = records.firstIndex { $0.id == arbitration.primary }
    guard request.kind.isOfQueue, let owner = listOwners[request.queueOwner]?.owner else {
      return primary
    }
    return records.firstIndex { $0.id == owner.listSession } ?? primary
  }
}

/// A command that is being handled.
struct Press {
  let number: Int
  let surface: SurfaceID
  let at: MonotonicInstant
  let answer: (CommandAnswer) -> Void
}

extension CommandRequest {
  /// Returns this request of a button. But if the request sets a mark (like, dislike, bookmark) that is already set,
  /// the result is the request that clears this mark.
  fileprivate func clearingSetMark(where offer: CommandOffer?) -> CommandRequest {
    guard case .feedback(isActive: true, _)? = offer?.parameters else { return self }
    switch self {
    case .media(.like): return .media(.like(false))
    case .media(.dislike): return .media(.dislike(false))
    case .media(.bookmark): return .media(.bookmark(false))
    default: return self
    }
  }
}
