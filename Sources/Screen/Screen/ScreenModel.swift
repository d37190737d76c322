package import LibraryModel
package import NowPlaying
package import Reports
package import ScreenDisplay
package import ScreenLayout

/// The data that a screen shows, as a value: the daemon's state, notices, the page and the touches. Reads no clock and
/// no socket. Times are arguments.
package struct ScreenModel {
  /// The time for which a change of the volume is shown.
  private static let volumeTime = Duration.seconds(2)
  /// The time for which the pointer of a mouse stays visible after its last movement.
  private static let pointerTime = Duration.seconds(5)
  /// After a drag, the progress bar shows the new position until the daemon reports the seek, but at most for this
  /// time.
  private static let settleTime = Duration.seconds(1)

  package var preferences: ScreenPreferences
  /// The newest state of Now Playing; nil until the first state arrives.
  package private(set) var state: NowPlayingState?
  /// The time since which the daemon does not answer. Nil while the daemon answers.
  package private(set) var awaySince: MonotonicInstant?
  /// The adapter and the connected phones.
  package var bluetooth = ScreenContext.Bluetooth.absent
  /// The pending pairing request of a phone. Nil if there is no request.
  package var pairing: ScreenContext.Pairing?
  /// True if the unit can permit pairing, because an adapter is switched on.
  package var canPairPhone = false

  /// The newest state of the phones; nil until the first state of the phones arrives.
  private var phones: PhonesState?
  /// The number of the request in ``pairing``.
  private var pairingNumber: Int?

  /// The newest settings. Nil until the first settings arrive.
  package var settings: SettingsState?
  /// True if the brightness of the panel can be set.
  package var hasBacklight = false
  /// True while the reverse gear is engaged.
  package var isReversing = false
  /// Nil if it is unknown whether the car is parked.
  package var isParked: Bool? {
    didSet { pages.menu.library.isParked = isParked }
  }
  /// The time of day; nil if unknown.
  package var time: SettingFacts.Time?
  /// The facts that the unit has reported about itself.
  package var report = SettingFacts.Report()
  /// The newest state of the library. Nil until the first state of the library arrives.
  private var library: LibraryState?
  /// True if the daemon was away after ``library`` had arrived. Questions that were asked during this time have failed,
  /// so the page must ask again.
  private var isLibraryOld = false
  /// True if the daemon was away after ``phones`` had arrived. The next state of the phones then causes no notices
  /// about changes.
  private var arePhonesOld = false
  /// True if the daemon was away after the queue was asked for. The page must then ask for the queue again.
  private var isQueueOld = false
  package internal(set) var pages: ScreenPages
  package private(set) var interaction: ScreenInteraction
  package var notices = ScreenNotices()
  private var volumeUntil: MonotonicInstant?
  private var pointer: (point: PixelPoint, until: Duration)?
  private var settling: (position: Duration, until: MonotonicInstant)?

  /// - Parameter now: the start of the program. Until the first state arrives, the daemon is treated as away.
  package init(_ preferences: ScreenPreferences, panel: Panel, at now: MonotonicInstant) {
    self.preferences = preferences
    awaySince = now
    interaction = ScreenInteraction(panel: panel)
    pages = ScreenPages(MenuCapacity(panel, textScale: preferences.textScale))
  }

  /// The newest state of Now Playing; an empty state until the first state arrives.
  package var shownState: NowPlayingState {
    state ?? NowPlayingState(revision: 0, volume: Volume(level: .silent))
  }

  // MARK: Input

  /// Receives a new state of Now Playing. If the content or Up Next has changed, returns the requests that update the
  /// shown page.
  @discardableResult
  package mutating func receive(_ new: NowPlayingState, at now: MonotonicInstant)
    -> [ScreenRequest]
  {
    let hasOtherContent =
      isQueueOld || state?.content?.id != new.content?.id || state?.upNext != new.upNext
    isQueueOld = false
    if let old = state {
      if old.volume != new.volume { volumeUntil = now.advanced(by: Self.volumeTime) }
      if old.session != new.session || new.content == nil { pages.reset() }
      if old.session != new.session { hasSourcePicture = false }
      if old.content?.id != new.content?.id
        || old.playback?.seekNumber != new.playback?.seekNumber
      {
        settling = nil
      }
    }
    state = new
    return hasOtherContent ? pages.refresh() : []
  }

  /// Receives a new state of the library. If the shown page must be updated, returns its requests.
  /// True if the picture of the source was received.
  package var hasSourcePicture = false

  package mutating func receive(_ new: LibraryState) -> [ScreenRequest] {
    let isRefreshNeeded =
      isLibraryOld || library?.revision != new.revision || library?.condition != new.condition
    library = new
    isLibraryOld = false
    return isRefreshNeeded ? pages.refresh() : []
  }

  /// Receives an answer of the library.
  package mutating func receive(_ answer: LibraryAnswer, number: Int) -> [ScreenRequest] {
    pages.receive(answer, number: number)
  }

  /// Records that the daemon answers.
  package mutating func setPresent() { awaySince = nil }

  /// Records that the daemon does not answer. The pages do not change. They ask again when the daemon is back.
  package mutating func setAway(at now: MonotonicInstant) {
    if awaySince == nil { awaySince = now }
    isLibraryOld = true
    arePhonesOld = true
    isQueueOld = true
    settling = nil
    pairing = nil
    pairingNumber = nil
    volumeUntil = nil
    // This removes the standing notice, too. When the daemon answers again, it sends the notice again.
    notices = ScreenNotices()
  }

  /// Replaces the panel. A touch on the old panel is cancelled.
  package mutating func replacePanel(_ panel: Panel) -> [ScreenRequest] {
    let left = perform(interaction.cancelTouch(), at: nil)
    pointer = nil
    // The focus is kept, because the new picture can contain the same controls. If the focused control is missing,
    // `adapt` removes the focus.
    interaction = ScreenInteraction(panel: panel, focusOf: interaction)
    pages.menu.library.capacity = MenuCapacity(panel, textScale: preferences.textScale)
    return left + pages.refresh()
  }

  /// Receives the rows of a search for an artist. `isFound` is false if the rows do not contain the artist.
  package mutating func receiveArtist(_ rows: [LibraryRow], name: String) -> (
    isFound: Bool, requests: [ScreenRequest]
  ) { pages.receiveArtist(rows, name: name) }

  /// Receives an answer about the queue.
  package mutating func receive(_ answer: QueuePage.Answer, number: Int) -> [ScreenRequest] {
    pages.receive(answer, number: number)
  }

  package mutating func receiveAlbum(title: String, rows: [MenuRow]) {
    pages.receiveAlbum(title: title, rows: rows)
  }

  // MARK: Fingers

  package mutating func handle(_ event: PointerEvent, in scene: Scene, at now: MonotonicInstant)
    -> [ScreenRequest]
  {
    notePointer(event)
    return perform(interaction.handle(event, in: scene), at: now)
  }

  /// The pointer of a mouse is visible from its first movement until a finger touches the screen, or until
  /// ``pointerTime`` has passed without a movement.
  private mutating func notePointer(_ event: PointerEvent) {
    switch event {
    case .hover(let x, let y, let at):
      pointer = (PixelPoint(x: x, y: y), at + Self.pointerTime)
    case .move(0, let x, let y, let at) where pointer != nil:
      pointer = (PixelPoint(x: x, y: y), at + Self.pointerTime)
    case .down(let id, _, _, _) where id != 0: pointer = nil
    case .down, .move, .up, .cancel: break
    }
  }

  package mutating func handle(_ event: FocusEvent, in scene: Scene, at now: MonotonicInstant)
    -> [ScreenRequest]
  {
    perform(interaction.handle(event, at: now.awake, in: scene), at: now)
  }

  /// Updates the pointer, the touch and the focus to the time `now`.
  package mutating func pass(to now: MonotonicInstant) -> [ScreenRequest] {
    if let shown = pointer, now.awake >= shown.until { pointer = nil }
    if let end = settling?.until, now >= end { settling = nil }
    notices.showNextLater(at: now)
    return perform(interaction.pass(to: now.awake), at: now)
  }

  /// Adapts the touch and the focus to a scene. Must be called when another scene is shown.
  package mutating func adapt(to scene: Scene) -> [ScreenRequest] {
    perform(interaction.adapt(to: scene), at: nil)
  }

  private mutating func perform(_ actions: [ScreenAction], at now: MonotonicInstant?)
    -> [ScreenRequest]
  {
    actions.flatMap { action in
      if case .command(.media(.seekToPosition(let position))) = action, let now {
        settling = (position, now.advanced(by: Self.settleTime))
      }
      if case .undo = action { notices.endUndo() }
      if action == .dismissNotice || action == .endSafeMode { notices.dismissStanding(at: now) }
      return pages.perform(action, current: state?.content?.id, menuFacts)
    }
  }

  // MARK: What is shown

  /// The data from which the pages of the menu are built.
  private var menuFacts: MenuPages.Facts {
    var facts = MenuPages.Facts(words, preferences.language(of: shownState), shownState)
    facts.rowLimit = preferences.rowLimit
    facts.library = library
    facts.phones = phones ?? PhonesState()
    facts.hasBluetooth = bluetooth != .absent
    facts.canPair = canPairPhone
    facts.settings = settings
    facts.isParked = isParked
    facts.lightRule = preferences.light
    facts.hasBacklight = hasBacklight
    facts.time = time
    facts.report = report
    return facts
  }

  /// The texts in the language of the screen.
  var words: LocalizedWords { LocalizedWords(preferences.language(of: shownState)) }

  /// The data that the screen shows in addition to the state. The caller adds the colours, the time of day, and the
  /// choice between day and night.
  package func context(panel: Panel, at now: MonotonicInstant) -> ScreenContext {
    var context = ScreenContext(panel: panel, now: now)
    context.awaySince = awaySince
    context.language = preferences.language(of: shownState)
    context.textScale = preferences.textScale
    context.rowLimit = preferences.rowLimit
    // If the daemon is away for longer than a restart takes, the last state of the phones is out of date and is not
    // shown.
    let isOld = DaemonAbsence(context).map { $0 != .unnoticed } ?? false
    context.bluetooth = isOld ? .absent : bluetooth
    context.source = source(LocalizedWords(context.language))
    context.sourcePicture = hasSourcePicture ? NowPlayingTemplate.sourcePicture : nil
    context.notice = notices.shown(at: now)
    context.pairing = pairing
    context.isReversing = isReversing
    context.volumeUntil = volumeUntil
    context.canPairPhone = canPairPhone
    context.page = pages.shown(menuFacts)
    context.pressed = interaction.pressed
    context.focus = interaction.focus
    context.pointer = pointer?.point
    context.seekPreview = interaction.seekPreview
    if context.seekPreview == nil, let settling, now < settling.until {
      context.seekPreview = settling.position
    }
    return context
  }

  /// The next time at which the model changes without an event. Nil if it changes only after an event.
  package var nextDeadline: Duration? {
    [
      interaction.nextDeadline, settling?.until.awake, pointer?.until,
      notices.nextDeadline,
    ].compactMap { $0 }.min()
  }

  // MARK: Phones

  /// The time for which a pairing request is shown. Then the screen denies the request.
  private static let pairingTime = Duration.seconds(30)

  /// Receives a new state of the phones. If there is no pairing request, shows a notice about a phone that has
  /// connected or disconnected. Returns the requests that the pages then make to the daemon.
  package mutating func receive(_ phones: PhonesState, at now: MonotonicInstant)
    -> [ScreenRequest]
  {
    let before = arePhonesOld ? nil : self.phones
    self.phones = phones
    arePhonesOld = false
    applyStatus(phones, before: before, at: now)
    return before.map { pages.menu.receive(phones, before: $0) } ?? []
  }

  private mutating func applyStatus(
    _ phones: PhonesState, before: PhonesState?, at now: MonotonicInstant
  ) {
    switch phones.service {
    case .off, .noBus, .noService, .noAdapter: bluetooth = .absent
    case .ready:
      let isOn = phones.adapters.contains(where: \.isPowered)
      bluetooth = isOn ? .on(phones: phones.connected.map(\.name)) : .off
    }
    canPairPhone = bluetooth != .absent && bluetooth != .off
    guard let request = phones.request else {
      pairing = nil
      pairingNumber = nil
      return showConnectionChange(from: before, to: phones, at: now)
    }
    if request.number != pairingNumber {
      pairingNumber = request.number
      pairing = ScreenContext.Pairing(
        peer: request.name, code: request.passkey, until: now.advanced(by: Self.pairingTime))
    }
  }

  private mutating func showConnectionChange(
    from before: PhonesState?, to after: PhonesState, at now: MonotonicInstant
  ) {
    guard let before else { return }
    let texts = words.notices
    let (old, new) = (before.connected, after.connected)
    let removed = old.first { phone in !new.contains { $0.address == phone.address } }
    if let removed { self.notices.show(.phone, texts.disconnected(removed.name), at: now) }
    let added = new.first { phone in !old.contains { $0.address == phone.address } }
    if let added { self.notices.show(.phone, texts.connected(added.name), at: now) }
  }

  /// Removes the pairing request from the screen and returns its number. Returns nil if there is no request.
  package mutating func takePairingNumber() -> Int? {
    defer {
      pairing = nil
      pairingNumber = nil
    }
    return pairingNumber
  }

  /// True if the pairing request must be denied because the screen no longer shows it: the time of the request is over,
  /// or a call or the reverse gear hides the request.
  package func mustDenyPairing(at now: MonotonicInstant) -> Bool {
    guard pairing != nil, awaySince == nil else { return false }
    var context = ScreenContext(panel: Panel(size: PixelSize(width: 1, height: 1)), now: now)
    context.pairing = pairing
    context.isReversing = isReversing
    return NowPlayingLayout.shownPairing(shownState, context) == nil
  }

  /// The icon and the name of the source: radio, the unit's own files, or the app of a phone. Nil for other sources.
  private func source(_ words: LocalizedWords) -> (symbol: Symbol, name: String)? {
    guard let session = state?.session?.rawValue, state?.content != nil else { return nil }
    // The daemon writes the name of a program that is a source into its content.
    if session.hasPrefix("app-") {
      let name = state?.content?.metadata.text(.appName)
      let words = [name, state?.obstacle?.sentence].compactMap(\.self)
      return words.isEmpty ? nil : (.layers, words.joined(separator: " · "))
    }
    if case .radio? = state?.content { return (.radio, words.radio) }
    if session == "local" { return (.note, words.music) }
    let phone = phones?.phones.first { session == "phone-\($0.address)" }
    return phone.map { (.phone, $0.app ?? $0.name) }
  }
}
