package import NowPlaying
internal import Reports
package import ScreenDisplay
package import ScreenLayout

/// All that a screen shows, as a value: the daemon's state, what passes, the page and the finger.
/// Reads no clock and no socket; moments are handed in.
package struct ScreenModel {
  /// A change of the volume is shown for so long.
  static let volumeTime = Duration.seconds(2)
  /// A notice is shown for so long; a newer one takes its place.
  static let noticeTime = Duration.seconds(4)
  /// A mouse that nobody moves any more goes from the picture.
  package static let pointerTime = Duration.seconds(5)
  /// After a drag the bar waits for the daemon's answer for so long before it shows the old place.
  static let settleTime = Duration.seconds(1)

  /// As configured.
  package var preferences: ScreenPreferences
  /// The last one; nil before the first.
  package private(set) var state: NowPlayingState?
  /// Nobody answers.
  package var isDaemonAway = true
  /// What is known of phones.
  package var bluetooth = ScreenContext.Bluetooth.absent
  /// A phone wants to pair.
  package var pairing: ScreenContext.Pairing?
  /// Whether phones can be made to find this unit.
  package var canPairPhone = false

  /// The last one; nil before the first.
  var phones: PhonesState?
  /// Of the question in ``pairing``.
  var pairingNumber: Int?

  package private(set) var pages = ScreenPages()
  package private(set) var interaction: ScreenInteraction
  private var notice: ScreenContext.Notice?
  private var standingNotice: ScreenContext.Notice?
  private var volumeUntil: MonotonicInstant?
  private var pointer: (place: PixelPoint, until: Duration)?
  private var settling: (position: Duration, until: MonotonicInstant)?

  /// Nothing is known yet.
  package init(_ preferences: ScreenPreferences, panel: Panel) {
    self.preferences = preferences
    interaction = ScreenInteraction(panel: panel)
  }

  /// Something to lay out, in any case.
  package var shownState: NowPlayingState {
    state ?? NowPlayingState(revision: 0, volume: Volume(level: .silent))
  }

  // MARK: What comes in

  /// A state came.
  package mutating func take(_ new: NowPlayingState, at now: MonotonicInstant) {
    if let old = state {
      if old.volume != new.volume { volumeUntil = now.advanced(by: Self.volumeTime) }
      if old.session != new.session || new.content == nil { pages.reset() }
      if old.content?.id != new.content?.id
        || old.playback?.seekNumber != new.playback?.seekNumber
      {
        settling = nil
      }
    }
    state = new
  }

  /// Says something in the header for a while.
  package mutating func show(_ symbol: Symbol, _ text: String, at now: MonotonicInstant) {
    notice = ScreenContext.Notice(symbol, text, until: now.advanced(by: Self.noticeTime))
  }

  /// Says something in the header until it is touched. What passes is shown instead meanwhile.
  package mutating func stand(_ symbol: Symbol, _ text: String) {
    standingNotice = ScreenContext.Notice(symbol, text, until: nil)
  }

  /// The daemon has gone, or has come back.
  package mutating func setAway(_ isAway: Bool) {
    isDaemonAway = isAway
    if isAway {
      pages.reset()
      settling = nil
      pairing = nil
      pairingNumber = nil
      phones = nil
      bluetooth = .absent
      canPairPhone = false
      volumeUntil = nil
      notice = nil
      // The daemon says it again when it is back.
      standingNotice = nil
    }
  }

  /// Another panel: a finger on the old one is on none.
  package mutating func replacePanel(_ panel: Panel) -> [ScreenPages.Request] {
    let left = perform(interaction.cancelTouch(), at: nil)
    pointer = nil
    interaction = ScreenInteraction(panel: panel)
    return left
  }

  package mutating func albumCame(title: String, rows: [ScreenContext.Row]) {
    pages.albumCame(title: title, rows: rows)
  }

  // MARK: Fingers

  package mutating func handle(_ event: PointerEvent, in scene: Scene, at now: MonotonicInstant)
    -> [ScreenPages.Request]
  {
    notePointer(event)
    return perform(interaction.handle(event, in: scene), at: now)
  }

  /// A mouse is seen from its first move on, and until a finger takes over.
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
    -> [ScreenPages.Request]
  {
    perform(interaction.handle(event, at: now.awake, in: scene), at: now)
  }

  /// Time has passed.
  package mutating func pass(to now: MonotonicInstant) -> [ScreenPages.Request] {
    if let shown = pointer, now.awake >= shown.until { pointer = nil }
    return perform(interaction.pass(to: now.awake), at: now)
  }

  /// Another scene is shown.
  package mutating func adapt(to scene: Scene) -> [ScreenPages.Request] {
    perform(interaction.adapt(to: scene), at: nil)
  }

  private mutating func perform(_ actions: [ScreenAction], at now: MonotonicInstant?)
    -> [ScreenPages.Request]
  {
    actions.flatMap { action in
      if case .command(.media(.seekToPosition(let position))) = action, let now {
        settling = (position, now.advanced(by: Self.settleTime))
      }
      if action == .dismissNotice { standingNotice = nil }
      return pages.perform(action, current: state?.content?.id)
    }
  }

  // MARK: What is shown

  /// What is beside the state. Whoever knows the panel, the colours and the time of day adds them.
  package func context(panel: Panel, at now: MonotonicInstant) -> ScreenContext {
    var context = ScreenContext(panel: panel, now: now)
    context.language = preferences.language(of: shownState)
    context.textScale = preferences.textScale
    context.rowLimit = preferences.rowLimit
    context.bluetooth = bluetooth
    context.source = source(context.language)
    context.notice = notice.flatMap { $0.isShown(at: now) ? $0 : nil } ?? standingNotice
    context.pairing = pairing
    context.volumeUntil = volumeUntil
    context.isDaemonAway = isDaemonAway
    context.canPairPhone = canPairPhone
    context.page = pages.page
    context.pressed = interaction.pressed
    context.focus = interaction.focus
    context.pointer = pointer?.place
    context.seekPreview = interaction.seekPreview
    if context.seekPreview == nil, let settling, now < settling.until {
      context.seekPreview = settling.position
    }
    return context
  }

  /// When the model itself changes what is shown; nil for never.
  package var nextDeadline: Duration? {
    [interaction.nextDeadline, settling?.until.awake, pointer?.until].compactMap { $0 }.min()
  }

  /// What plays, in a word: the unit's own files, or a phone.
  private func source(_ language: LanguageTag) -> (symbol: Symbol, name: String)? {
    guard let session = state?.session?.rawValue, state?.content != nil else { return nil }
    if case .radio? = state?.content { return (.radio, Phrase.radio.text(language)) }
    return session == "local" ? (.note, Phrase.music.text(language)) : nil
  }
}
