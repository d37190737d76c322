package import NowPlaying
package import Reports

/// What a key is for. The raw values are how the configuration writes them.
package enum KeyAction: String, Hashable, Sendable, CaseIterable {
  case play
  case pause
  case playPause = "play-pause"
  case stop
  case next
  case previous
  case fastForward = "fast-forward"
  case rewind
  case skipForward = "skip-forward"
  case skipBackward = "skip-back"
  case volumeUp = "volume-up"
  case volumeDown = "volume-down"
  case mute
  case `repeat`
  case shuffle
  /// The screen's focus, as of ``TurnAction/focus``.
  case focusNext = "focus-next"
  case focusPrevious = "focus-previous"
  /// Takes what is in the screen's focus.
  case select
  /// Out of a list of the screen.
  case back
  /// It means nothing: takes a default away.
  case nothing = "none"
}

/// What a knob is for, to the right; the other way round to the left.
package enum TurnAction: String, Hashable, Sendable, CaseIterable {
  case volume
  case tracks
  /// What can be touched on the screen, one after the other.
  case focus
  /// A knob that is built in the other way round.
  case reversedVolume = "reversed-volume"
  case reversedTracks = "reversed-tracks"
  case reversedFocus = "reversed-focus"
  case nothing = "none"

  /// What so many steps ask for; nil for nothing.
  func request(steps: Int) -> KeyRequest? {
    guard steps != 0 else { return nil }
    // More than all the way is all the way; and no device can make the product overflow.
    let steps = min(max(steps, -1000), 1000)
    switch self {
    case .volume: return .request(.volume(.change(thousandths: steps * Volume.keyStep)))
    case .reversedVolume: return .request(.volume(.change(thousandths: -steps * Volume.keyStep)))
    case .tracks: return .request(.media(steps > 0 ? .next : .previous))
    case .reversedTracks: return .request(.media(steps < 0 ? .next : .previous))
    case .focus: return .focus(FocusMove(steps > 0 ? .next : .previous, times: abs(steps)))
    case .reversedFocus: return .focus(FocusMove(steps < 0 ? .next : .previous, times: abs(steps)))
    case .nothing: return nil
    }
  }
}

/// What a press asks for.
package enum KeyRequest: Hashable, Sendable {
  /// Exactly this.
  case request(CommandRequest)
  /// The next of the modes that are offered: repeat or shuffle.
  case nextMode(CommandKind)
  /// Nothing of Now Playing: the screen's focus.
  case focus(FocusMove)
}

/// A press, turned into what it asks for.
package struct KeyCommand: Hashable, Sendable {
  /// What is asked.
  package let request: KeyRequest
  /// When that was clear: pressed, or let go, or held long enough.
  package let at: MonotonicInstant
  /// When the key went down.
  package let pressed: MonotonicInstant
  /// The key is held, and this is no press of its own.
  package let isRepeat: Bool

  init(
    _ request: KeyRequest, at: MonotonicInstant, pressed: MonotonicInstant? = nil,
    isRepeat: Bool = false
  ) {
    self.request = request
    self.at = at
    self.pressed = pressed ?? at
    self.isRepeat = isRepeat
  }
}

extension KeyAction {
  /// What a short press asks for; nil for nothing.
  var request: KeyRequest? {
    switch self {
    case .play: .request(.media(.play))
    case .pause: .request(.media(.pause))
    case .playPause: .request(.media(.togglePlayPause))
    case .stop: .request(.media(.stop))
    case .next: .request(.media(.next))
    case .previous: .request(.media(.previous))
    case .fastForward: .request(.media(.seekForward(.begin)))
    case .rewind: .request(.media(.seekBackward(.begin)))
    case .skipForward: .request(.media(.skipForward(nil)))
    case .skipBackward: .request(.media(.skipBackward(nil)))
    case .volumeUp: .request(.volume(.change(thousandths: Volume.keyStep)))
    case .volumeDown: .request(.volume(.change(thousandths: -Volume.keyStep)))
    case .mute: .request(.volume(.toggleMuted))
    case .repeat: .nextMode(.changeRepeatMode)
    case .shuffle: .nextMode(.changeShuffleMode)
    case .focusNext: .focus(FocusMove(.next))
    case .focusPrevious: .focus(FocusMove(.previous))
    case .select: .focus(FocusMove(.activate))
    case .back: .focus(FocusMove(.back))
    case .nothing: nil
    }
  }

  /// What holding the key asks for instead, once it is held long enough.
  var heldAction: KeyAction? {
    switch self {
    case .next: .fastForward
    case .previous: .rewind
    default: nil
    }
  }

  /// What letting go asks for, of what pressing began.
  var end: KeyRequest? {
    switch self {
    case .fastForward: .request(.media(.seekForward(.end)))
    case .rewind: .request(.media(.seekBackward(.end)))
    default: nil
    }
  }

  /// Whether a key that is held goes on with it.
  var repeats: Bool {
    switch self {
    case .volumeUp, .volumeDown, .focusNext, .focusPrevious: true
    default: false
    }
  }
}
