/// A kind of line in the daemon's log. The raw value is an identifier for programs: a line of the log begins with this
/// identifier. The identifier stays the same when the words of the line change. `docs/log.md` lists all kinds.
package enum LogEvent: String, Hashable, Sendable, CaseIterable {
  case unitStarted = "unit.started"
  case unitSafeMode = "unit.safe-mode"
  case unitStalled = "unit.stands-still"
  case unitPower = "unit.power"
  case unitErase = "unit.erase"
  case unitStopping = "unit.stopping"

  case configurationWrong = "config.wrong"
  case configurationRemark = "config.remark"
  case configurationRead = "config.read"
  case configurationNeedsRestart = "config.needs-restart"
  case pictureUnusable = "config.picture"
  case settingChanged = "settings.changed"
  case settingsDamaged = "settings.damaged"
  case settingsRepaired = "settings.repaired"
  case settingsNotSaved = "settings.not-saved"

  case stateUnavailable = "state.unavailable"
  case stateUnusable = "state.unusable"
  case stateDamaged = "state.damaged"
  case stateRepaired = "state.repaired"
  case stateNotSaving = "state.not-saving"
  case stateSaving = "state.saving"
  case stateLost = "state.lost"

  case queueRestored = "queue.restored"
  case queueUnusable = "queue.unusable"
  case queueRepaired = "queue.repaired"
  case queueCut = "queue.cut"
  case positionsUnusable = "positions.unusable"
  case positionsRepaired = "positions.repaired"
  case queueUnplayable = "queue.unplayable"
  case listRefused = "list.refused"
  case playlistsIgnored = "playlists.ignored"
  case playlistDamaged = "playlists.damaged"
  case playlistsNotSaved = "playlists.not-saved"
  case musicFound = "music.found"
  case musicMoved = "music.moved"
  case musicUnplayable = "music.unplayable"
  case musicUnsupported = "music.unsupported"
  case musicNone = "music.none"
  case musicSilent = "music.silent"
  case musicRemoved = "music.removed"
  case musicMissing = "music.missing"
  case musicReturned = "music.returned"
  case musicResumed = "music.resumed"
  case musicHeld = "music.held"

  case libraryFound = "library.found"
  case libraryLost = "library.lost"
  case libraryFailed = "library.failed"
  case libraryWrong = "library.wrong"

  case trackStarted = "track.started"
  case trackMetadata = "track.metadata"
  case trackDamaged = "track.damaged"
  case trackFailed = "track.failed"
  case trackWaits = "track.waits"
  case trackContinues = "track.continues"
  case coverSkipped = "cover.skipped"
  case coverMislabelled = "cover.mislabelled"
  case coverNotStored = "cover.not-stored"
  case chimeFailed = "chime.failed"

  case appOpened = "app.opened"
  case appClosed = "app.closed"
  case appLost = "app.lost"
  case appSilent = "app.silent"
  case playbackTaken = "playback.taken"
  case playbackInterrupted = "playback.interrupted"
  case playbackContinued = "playback.continued"
  case playbackPaused = "playback.paused"
  case playbackStopped = "playback.stopped"

  case outputOpened = "output.opened"
  case outputFailed = "output.failed"
  case outputReturned = "output.returned"
  case outputChanged = "output.changed"
  case outputUnderrun = "output.underrun"
  case amplifierFailed = "amplifier.failed"
  case realTimeRefused = "output.no-real-time"

  case keysAdded = "keys.added"
  case keysRemoved = "keys.removed"
  case keysRefused = "keys.refused"
  case keysUnknown = "keys.unknown"
  case keysFailed = "keys.failed"
  case carLineFailed = "car.line-failed"
  case ignitionOff = "ignition.off"
  case ignitionOn = "ignition.on"
  case ignitionFailed = "ignition.power-down-failed"

  case lowVoltage = "board.low-voltage"

  case controlListening = "control.listening"
  case controlFailed = "control.failed"
  case clientRefused = "control.client-refused"
  case clientDropped = "control.client-dropped"

  case busLost = "bluetooth.bus-lost"
  case bluetoothdFound = "bluetooth.service-found"
  case bluetoothdLost = "bluetooth.service-lost"
  case adapterAdded = "bluetooth.adapter-added"
  case adapterRemoved = "bluetooth.adapter-removed"
  case adapterPower = "bluetooth.adapter-power"
  case adapterNotSet = "bluetooth.not-set"
  case agentRefused = "bluetooth.agent-refused"
  case pairingOpened = "bluetooth.pairing-opened"
  case pairingClosed = "bluetooth.pairing-closed"
  case pairingAsked = "bluetooth.pairing-asked"
  case pairingAccepted = "bluetooth.pairing-accepted"
  case pairingRejected = "bluetooth.pairing-rejected"
  case pairingWithdrawn = "bluetooth.pairing-withdrawn"
  case pairingRefused = "bluetooth.pairing-refused"
  case pairingStarted = "bluetooth.pairing-started"
  case pairingFailed = "bluetooth.pairing-failed"
  case devicePaired = "bluetooth.paired"
  case deviceForgotten = "bluetooth.forgotten"
  case bondNotRemoved = "bluetooth.bond-not-removed"
  case discoveryFailed = "bluetooth.discovery-failed"
  case deviceConnected = "bluetooth.connected"
  case deviceRefused = "bluetooth.refused"
  case deviceControls = "bluetooth.controls"
  case deviceProven = "bluetooth.proven"
  case deviceDisconnected = "bluetooth.disconnected"
  case deviceConnecting = "bluetooth.connecting"
  case connectingFailed = "bluetooth.connecting-failed"
  case connectingDeferred = "bluetooth.connecting-deferred"
  case connectingEnded = "bluetooth.connecting-ended"
  case playerRegistered = "bluetooth.player-registered"
  case playerReleased = "bluetooth.player-released"
  case playerRefused = "bluetooth.player-refused"
  case playerDiffers = "bluetooth.player-differs"
  case channelUntested = "bluetooth.channel-untested"
  case playIgnored = "bluetooth.play-ignored"
  case endpointRefused = "phone.endpoint-refused"
  case streamRefused = "phone.stream-refused"
  case streamFailed = "phone.stream-failed"
  case streamBegan = "phone.stream-began"
  case streamEnded = "phone.stream-ended"

  case command

  /// True if the event says that saved data, or a part of it, was lost.
  package var isLoss: Bool {
    switch self {
    case .settingsDamaged, .stateUnavailable, .stateUnusable, .stateDamaged, .stateRepaired,
      .queueUnusable, .queueRepaired, .positionsUnusable, .positionsRepaired, .playlistDamaged:
      true
    default: false
    }
  }

  /// The severity of all lines of this kind.
  package var severity: LogLine.Severity {
    switch self {
    case .ignitionFailed, .unitSafeMode, .unitStalled, .outputFailed, .keysFailed, .controlFailed,
      .agentRefused, .bondNotRemoved:
      .error
    case .configurationWrong, .settingsDamaged, .settingsNotSaved, .queueUnusable,
      .positionsUnusable, .queueCut,
      .listRefused, .queueUnplayable,
      .playlistsIgnored, .playlistsNotSaved,
      .pictureUnusable, .stateUnavailable,
      .stateUnusable, .stateDamaged, .stateRepaired, .queueRepaired, .positionsRepaired,
      .playlistDamaged,
      .stateNotSaving, .stateLost, .musicUnplayable, .musicUnsupported, .musicNone, .musicSilent,
      .musicRemoved, .libraryLost, .libraryFailed, .libraryWrong, .trackDamaged,
      .trackFailed, .musicMissing,
      .trackWaits, .coverNotStored, .chimeFailed, .outputUnderrun, .amplifierFailed,
      .realTimeRefused, .keysRefused,
      .carLineFailed, .lowVoltage, .appLost, .appSilent,
      .clientRefused, .clientDropped, .bluetoothdLost, .adapterNotSet,
      .discoveryFailed, .playerRefused, .playerDiffers, .endpointRefused, .streamRefused,
      .streamFailed:
      .warning
    case .ignitionOff, .ignitionOn, .appOpened, .appClosed,
      .unitStarted, .unitPower, .unitErase, .unitStopping, .settingChanged,
      .configurationRemark, .configurationRead, .configurationNeedsRestart,
      .stateSaving, .musicReturned, .musicResumed, .musicHeld, .trackContinues, .outputReturned,
      .controlListening, .busLost, .adapterRemoved, .pairingOpened, .pairingClosed, .pairingAsked,
      .pairingAccepted, .pairingRejected, .pairingWithdrawn, .pairingRefused, .pairingStarted,
      .pairingFailed, .devicePaired, .deviceForgotten, .deviceConnected, .deviceRefused,
      .deviceControls, .deviceProven, .deviceDisconnected, .connectingDeferred, .connectingEnded,
      .playerReleased, .channelUntested, .playIgnored, .settingsRepaired:
      .notice
    case .queueRestored, .musicFound, .musicMoved, .libraryFound, .trackStarted, .trackMetadata,
      .coverSkipped, .coverMislabelled, .outputOpened, .outputChanged, .keysAdded, .keysRemoved,
      .keysUnknown, .bluetoothdFound, .adapterAdded, .adapterPower, .playerRegistered,
      .playbackTaken, .playbackInterrupted, .playbackContinued, .playbackPaused,
      .playbackStopped,
      .streamBegan, .streamEnded:
      .info
    case .deviceConnecting, .connectingFailed, .command: .debug
    }
  }
}
