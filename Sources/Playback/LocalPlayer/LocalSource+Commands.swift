internal import AudioEngine
internal import MusicFiles
internal import NowPlaying

// The commands of the session, and their execution by the player.
extension LocalSource {
  func commands(canSeek: Bool) -> [MediaCommand] {
    transportCommands(canSeek: canSeek) + queueCommands + markCommands
  }

  private func transportCommands(canSeek: Bool) -> [MediaCommand] {
    [
      .play { [weak self] reply in
        self?.awaitedList?.isPlayWanted = true
        self?.act(reply) { $0.resume() ? .success : Self.sourceAbsent }
      },
      .pause { [weak self] reply in self?.silence(reply) { $0.pause() } },
      .stop { [weak self] reply in self?.silence(reply) { $0.stop() } },
      .next { [weak self] reply in self?.next(reply) }.possible(player.hasNext),
      .previous { [weak self] reply in self?.move(reply) { $0.previous() } },
      .skipForward(preferredIntervals: [skipInterval]) { [weak self] interval, reply in
        self?.move(reply) { $0.skip(by: interval.seconds) }
      },
      .skipBackward(preferredIntervals: [skipInterval]) { [weak self] interval, reply in
        self?.move(reply) { $0.skip(by: -interval.seconds) }
      },
      .seekForward(
        beginAction: { [weak self] in self?.beginSeek(1, $0) },
        endAction: { [weak self] in self?.endSeek($0) }
      ).possible(canSeek),
      .seekBackward(
        beginAction: { [weak self] in self?.beginSeek(-1, $0) },
        endAction: { [weak self] in self?.endSeek($0) }
      ).possible(canSeek),
      .seekToPosition { [weak self] position, reply in
        self?.move(reply) { $0.seek(to: position.seconds) }
      }.possible(canSeek),
      .changeRepeatMode(current: player.queue.repeatMode) { [weak self] mode, reply in
        self?.act(reply) { $0.setRepeat(mode) }
      },
      .changeShuffleMode(
        current: player.queue.isShuffled ? .items : .off, supported: [.off, .items]
      ) { [weak self] mode, reply in
        self?.act(reply) { $0.setShuffled(mode == .items) }
      },
    ]
  }

  private static let sourceAbsent = CommandAnswer.noSuchContent(
    Refusal(
      .sourceAbsent, "the music is on a stick that is not there", remedy: "plug it in"))

  private func silence(_ reply: CommandReply, _ body: (LocalPlayer) -> Void) {
    awaitedList?.isPlayWanted = false
    act(reply, body)
  }

  private func act(_ reply: CommandReply, _ body: (LocalPlayer) -> Void) {
    act(reply) {
      body($0)
      return .success
    }
  }

  func act(_ reply: CommandReply, _ body: (LocalPlayer) -> CommandAnswer) {
    let before = player.lastEffect
    reply(body(player), at: clock())
    awaitEffect(since: before, reply)
    update()
  }

  /// Reports to the trace when the effect of a command is heard, if it has one.
  func awaitEffect(since before: Effect, _ reply: CommandReply) {
    let effect = player.lastEffect
    guard effect != before else { return }
    // A command with an effect on the sound ends a held seek.
    heldSeek = nil
    // A track that was selected during a pause is heard only after the pause. So this effect is not
    // awaited.
    if effect.isImmediate || !player.state.isPaused {
      awaited.append((effect, reply))
      if awaited.count > Self.awaitedLimit { awaited.removeFirst() }
    }
  }

  /// Carries out a command that is possible only after a track has played.
  private func move(_ reply: CommandReply, _ body: (LocalPlayer) -> Bool) {
    act(reply) { body($0) ? .success : .nothingPlaying }
  }

  private func next(_ reply: CommandReply) {
    act(reply) { $0.next() ? .success : .noSuchContent() }
  }

  private func beginSeek(_ direction: Double, _ reply: CommandReply) {
    guard !player.state.isStopped else { return reply(.nothingPlaying, at: clock()) }
    heldSeek = HeldSeek(
      of: player.playingID, from: player.elapsedSeconds, direction: direction, at: clock())
    reply(.success, at: clock())
    update()
  }

  private func endSeek(_ reply: CommandReply) {
    heldSeek = nil
    reply(.success, at: clock())
    update()
  }

  func stepHeldSeek(at now: MonotonicInstant) {
    guard var seek = heldSeek else { return }
    let end = player.state.description?.durationSeconds
    if player.playingID != seek.playingID || player.state.isStopped {
      heldSeek = nil
    } else if let position = seek.step(at: now, end: end) {
      heldSeek = seek
      player.seek(to: position)
    }
  }
}
