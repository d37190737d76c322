package import NowPlaying
package import Reports

/// The action of a key. The raw values are the words of the configuration.
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
  /// Sets the mark *like* of what plays, or clears the mark if it is set.
  case like
  case dislike
  case bookmark
  /// Adds a star to what plays. After the last star, removes all stars.
  case stars
  case nextAlbum = "next-album"
  case previousAlbum = "previous-album"
  case nextFolder = "next-folder"
  case previousFolder = "previous-folder"
  case nextPlaylist = "next-playlist"
  case previousPlaylist = "previous-playlist"
  /// Moves the focus of the screen, like ``TurnAction/focus``.
  case focusNext = "focus-next"
  case focusPrevious = "focus-previous"
  /// Activates the control that has the focus.
  case select
  /// Closes the list that the screen shows.
  case back
  /// No action. A binding with this action removes the default action of a key.
  case nothing = "none"
}

/// The action of a knob that is turned to the right. A turn to the left has the opposite effect.
package enum TurnAction: String, Hashable, Sendable, CaseIterable {
  case volume
  case tracks
  /// Moves the focus of the screen from control to control.
  case focus
  /// Like ``volume``, for a knob that is installed the other way round.
  case reversedVolume = "reversed-volume"
  case reversedTracks = "reversed-tracks"
  case reversedFocus = "reversed-focus"
  case nothing = "none"

  /// The request for a number of steps. Nil if there is no request.
  func request(steps: Int) -> KeyRequest? {
    guard steps != 0 else { return nil }
    // The limit of 1000 steps prevents an overflow of the multiplication. The whole range of the volume has fewer
    // steps.
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

/// The request of a press.
package enum KeyRequest: Hashable, Sendable {
  /// A command of Now Playing.
  case request(CommandRequest)
  /// A command that sets the next value of a mode, of the stars, or of a mark.
  case nextMode(CommandKind)
  /// A move of the focus of the screen. This is not a command of Now Playing.
  case focus(FocusMove)
}

/// A request with the times of its press.
package struct KeyCommand: Hashable, Sendable {
  /// The request.
  package let request: KeyRequest
  /// The time at which the request was decided: at the press, at the release, or when the key was held long enough.
  package let at: MonotonicInstant
  /// The time of the press.
  package let pressed: MonotonicInstant
  /// True if this is a repeat of a held key and not a new press.
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
  /// The request of a short press. Nil if there is no request.
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
    case .like: .nextMode(.like)
    case .dislike: .nextMode(.dislike)
    case .bookmark: .nextMode(.bookmark)
    case .stars: .nextMode(.stars)
    case .nextAlbum: .request(.list(.jump(.nextAlbum)))
    case .previousAlbum: .request(.list(.jump(.previousAlbum)))
    case .nextFolder: .request(.list(.jump(.nextFolder)))
    case .previousFolder: .request(.list(.jump(.previousFolder)))
    case .nextPlaylist: .request(.list(.jump(.nextPlaylist)))
    case .previousPlaylist: .request(.list(.jump(.previousPlaylist)))
    case .focusNext: .focus(FocusMove(.next))
    case .focusPrevious: .focus(FocusMove(.previous))
    case .select: .focus(FocusMove(.activate))
    case .back: .focus(FocusMove(.back))
    case .nothing: nil
    }
  }

  /// The action that replaces this action if the key is held long enough. Nil if there is none.
  var heldAction: KeyAction? {
    switch self {
    case .next: .fastForward
    case .previous: .rewind
    default: nil
    }
  }

  /// The request at the release, which ends the seek that the press began. Nil if the release has no effect.
  var end: KeyRequest? {
    switch self {
    case .fastForward: .request(.media(.seekForward(.end)))
    case .rewind: .request(.media(.seekBackward(.end)))
    default: nil
    }
  }

  /// True if the action repeats while the key is held.
  var repeats: Bool {
    switch self {
    case .volumeUp, .volumeDown, .focusNext, .focusPrevious: true
    default: false
    }
  }
}
