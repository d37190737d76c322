extension NowPlayingCenter {
  /// Chooses the primary session, decides what the sound of each session may do, and instructs the
  /// sources.
  func decide() {
    let outcome = arbitrate(records.map(\.candidate), interruptions: interruptions.current)
    if outcome.primary != arbitration.primary {
      primaryChanges.append(
        PrimaryChange(from: arbitration.primary, to: outcome.primary, at: latest))
      if primaryChanges.count > Self.primaryChangesKept { primaryChanges.removeFirst() }
    }
    arbitration = outcome
    var orders: [(instruct: (SessionInstruction) -> Void, what: SessionInstruction)] = []
    for index in records.indices {
      let verdict = outcome.verdicts[index]
      if verdict.isPrimary {
        records[index].wasPrimary = true
        records[index].wasDeactivatedAsPrimary = false
      }
      for instruction in records[index].follow(verdict.sound, ducking: ducking, at: latest) {
        orders.append((records[index].instruct, instruction))
      }
    }
    if let seek = heldSeek, seek.session != outcome.primary { endHeldSeek() }
    for order in orders { order.instruct(order.what) }
  }

  /// Makes a new revision if the state has changed. Gives the state to each surface that does not
  /// have this revision yet (P1, P4).
  func publish() {
    let next = currentState
    let hasChanged = !next.equalsIgnoringRevision(state)
    if hasChanged {
      let reasons = PublicationReason.between(state, next)
      state = next.renumbered(state.revision + 1)
      publications.append(Publication(revision: state.revision, at: latest, reasons: reasons))
      if publications.count > Self.publicationsKept { publications.removeFirst() }
      refuseLateArtwork()
    }
    let state = state
    for id in surfaces.map(\.description.id) {
      // A surface can disconnect while another surface gets the state, so the index is looked up
      // each time.
      guard let index = surfaces.firstIndex(where: { $0.description.id == id }),
        surfaces[index].given != state.revision
      else { continue }
      give(state, to: index)
    }
    // The turn that follows sends the state to the clients of the control socket.
    if hasChanged { didPublish() }
  }

  func give(_ state: NowPlayingState, to index: Int) {
    surfaces[index].given = state.revision
    surfaces[index].check.sent(state, at: latest)
    let show = surfaces[index].show
    show(state)
  }

  private var currentState: NowPlayingState {
    let primary = arbitration.primary.flatMap { id in records.first { $0.id == id } }
    let offers = primary?.shownOffers ?? []
    let playback = primary?.shown
    return NowPlayingState(
      revision: 0, session: primary?.id, content: primary?.content, playback: playback,
      commands: offers,
      upNext: Array((primary?.description.upNext ?? []).prefix(NowPlayingState.upNextLimit)),
      template: TemplateState(
        primary?.template ?? NowPlayingTemplate(), commands: offers,
        rate: playback?.defaultPlaybackRate ?? 1),
      volume: volume, interruptions: interruptions.current.map(\.reason), language: language,
      isSelfPublished: primary?.description.publishesItself ?? false)
  }
}
