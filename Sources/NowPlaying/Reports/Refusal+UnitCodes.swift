package import NowPlaying

// The codes of all parts outside the model. They are in one list, so that no code has two meanings. docs/control.md
// contains the same list.
extension Refusal.Code {
  /// All codes that this version knows.
  package static let all =
    ofCommands + ofRequests + ofUnit + ofSettings + ofLibrary + ofPlaylists + ofApps + ofStorage
    + ofConsole + ofPhones

  // MARK: Requests to the daemon

  package static let ofRequests: [Self] = [
    .notAllowed, .invalidArguments, .unknownMethod, .tooManyCalls, .unspecified, .unreachable,
    .noAnswer, .unreadableAnswer, .surfaceTaken, .notRegistered,
  ]

  /// The caller is permitted to read the state, but not to send commands.
  package static let notAllowed = Self("not-allowed")
  /// An argument is missing, has the wrong type or is out of range.
  package static let invalidArguments = Self("invalid-arguments")
  /// There is no such object, interface or method.
  package static let unknownMethod = Self("unknown-method")
  /// The caller has too many calls without an answer.
  package static let tooManyCalls = Self("too-many-calls")
  /// The error of the daemon has no code, or an invalid code.
  package static let unspecified = Self("unspecified")
  /// The daemon cannot be reached.
  package static let unreachable = Self("unreachable")
  /// The daemon did not answer in time.
  package static let noAnswer = Self("no-answer")
  /// The daemon's answer cannot be decoded.
  package static let unreadableAnswer = Self("unreadable-answer")
  /// Another surface is registered under the requested name.
  package static let surfaceTaken = Self("surface-taken")
  /// The client is not registered as a surface.
  package static let notRegistered = Self("not-registered")

  // MARK: The unit

  package static let ofUnit: [Self] = [
    .noChime, .chimeHeld, .interruptionActive, .interruptionInactive, .tooManyHolds,
    .noService, .powerFailed, .eraseFailed, .notParked, .shellNotAllowed, .safeMode, .noSafeMode,
  ]

  /// No chime is configured.
  package static let noChime = Self("no-chime")
  /// The session of the chime is held, so the chime must not sound now.
  package static let chimeHeld = Self("chime-held")
  /// An interruption or duck with this name is active already.
  package static let interruptionActive = Self("interruption-active")
  /// No interruption or duck with this name is active.
  package static let interruptionInactive = Self("interruption-inactive")
  /// Clients have begun too many interruptions and ducks.
  package static let tooManyHolds = Self("too-many-holds")
  /// This process has no permission to restart the machine or to switch it off, because it does not run as the service
  /// of the unit.
  package static let noService = Self("no-service")
  /// The service manager did not restart the machine or switch it off.
  package static let powerFailed = Self("power-failed")
  /// The personal data cannot be erased.
  package static let eraseFailed = Self("erase-failed")
  /// The car is not parked, so the screen must not do this now.
  package static let notParked = Self("not-parked")
  /// The configuration does not permit a shell.
  package static let shellNotAllowed = Self("shell-not-allowed")

  /// The unit is in safe mode, so the requested part of the unit was not started.
  package static let safeMode = Self("safe-mode")
  /// The unit is not in safe mode.
  package static let noSafeMode = Self("no-safe-mode")

  // MARK: Settings

  package static let ofSettings: [Self] = [
    .unknownSetting, .notOfDriver, .settingFixed, .invalidSetting, .settingsNotSaved,
    .parkedConfigured, .invalidTime, .timeKept, .timeNotSet, .nothingToRepair,
  ]

  /// No setting has this key.
  package static let unknownSetting = Self("unknown-setting")
  /// Only the files of the configuration can set this key, not the driver.
  package static let notOfDriver = Self("setting-not-of-driver")
  /// A file of the configuration sets this key, so the driver cannot change it.
  package static let settingFixed = Self("setting-fixed")
  /// The value of the setting is not permitted.
  package static let invalidSetting = Self("invalid-setting")
  /// The storage of the settings cannot be written.
  package static let settingsNotSaved = Self("settings-not-saved")
  /// A GPIO line or the configuration determines whether the car is parked, so a client cannot set whether the car is
  /// parked.
  package static let parkedConfigured = Self("parked-configured")
  /// The time is not plausible.
  package static let invalidTime = Self("invalid-time")
  /// The network keeps the time, so a client cannot set it.
  package static let timeKept = Self("time-kept")
  /// The system did not carry out the request to set the time.
  package static let timeNotSet = Self("time-not-set")

  /// The file of the driver's settings is not damaged.
  package static let nothingToRepair = Self("nothing-to-repair")

  // MARK: The library

  package static let ofLibrary: [Self] = [
    .noLibrary, .libraryUnavailable, .noSuchSource, .sourcePresent, .superseded,
    .ambiguousItem,
  ]

  /// The configuration switches the library off.
  package static let noLibrary = Self("no-library")
  /// The process of the library does not run, or does not answer.
  package static let libraryUnavailable = Self("library-unavailable")
  /// No source of music has this identity.
  package static let noSuchSource = Self("no-such-source")
  /// The source is present, so it cannot be forgotten.
  package static let sourcePresent = Self("source-present")

  /// A later request of the same kind has replaced this request.
  package static let superseded = Self("superseded")

  /// Several entries of the library have this name.
  package static let ambiguousItem = Self("ambiguous-item")

  // MARK: Playlists of the unit

  package static let ofPlaylists: [Self] = [
    .invalidPlaylistName, .noSuchPlaylist, .playlistExists, .playlistReserved,
    .playlistHasSong, .playlistFull, .playlistUnreadable, .playlistsNotSaved,
  ]

  /// A playlist cannot have this name.
  package static let invalidPlaylistName = Self("invalid-playlist-name")
  /// No playlist of the unit has this name.
  package static let noSuchPlaylist = Self("no-such-playlist")
  /// Another playlist has this name.
  package static let playlistExists = Self("playlist-exists")
  /// The favourites and the bookmarks can be neither renamed nor removed.
  package static let playlistReserved = Self("playlist-reserved")
  /// The playlist contains the song already.
  package static let playlistHasSong = Self("playlist-has-song")
  /// The playlist would have too many songs, or the unit has too many playlists.
  package static let playlistFull = Self("playlist-full")
  /// The file of the playlist cannot be read.
  package static let playlistUnreadable = Self("playlist-unreadable")
  /// The storage of the playlists cannot be written.
  package static let playlistsNotSaved = Self("playlists-not-saved")

  // MARK: Programs that are sources

  package static let ofApps: [Self] = [
    .noApps, .notYourApp, .noSuchSession, .noSuchStream, .tooManySessions, .tooManyStreams,
    .tooManyPictures, .noDescriptors, .sourceWaits, .sourceFailed,
  ]

  /// This unit does not make sources of programs.
  package static let noApps = Self("no-apps")
  /// The identity, or what the program requests, is not permitted to this user.
  package static let notYourApp = Self("not-your-app")
  /// The client has no session with this number.
  package static let noSuchSession = Self("no-such-session")
  /// The source is a program that cannot play yet, as it says.
  package static let sourceWaits = Self("source-waits")
  /// The source is a program that cannot play, as it says.
  package static let sourceFailed = Self("source-failed")
  /// The client has no stream with this number.
  package static let noSuchStream = Self("no-such-stream")
  /// The app, or all apps together, have too many sessions.
  package static let tooManySessions = Self("too-many-sessions")
  /// The app, or all apps together, have too many streams.
  package static let tooManyStreams = Self("too-many-streams")
  /// The session has too many button pictures, or too large ones.
  package static let tooManyPictures = Self("too-many-pictures")
  /// The client cannot receive descriptors.
  package static let noDescriptors = Self("no-descriptors")

  // MARK: The storage

  package static let ofStorage: [Self] =
    [.noImage, .helperUnreachable] + Self.reasonsOfStorage.map { .storage($0) }

  /// This machine does not run the image, so there is no storage to check.
  package static let noImage = Self("no-image")
  /// The helper that creates a file system cannot be reached.
  package static let helperUnreachable = Self("helper-unreachable")

  /// The code for the reason why the helper created no file system.
  /// - Parameter reason: the helper's word for the reason (`board/helpers/format-data.c`).
  package static func storage(_ reason: String) -> Self {
    Self(rawValue: "data-\(reason)") ?? .failed
  }

  private static let reasonsOfStorage = [
    "incomplete", "unknown", "checking", "healthy", "no-partition", "users", "busy", "mke2fs",
    "silent",
  ]

  // MARK: What the console does itself

  package static let ofConsole: [Self] = [
    .noJournal, .noKeptLog, .noSuchService, .noSuchStick, .helperSilent, .wrongLine,
    .needsConfirmation, .needsPassword, .needsTerminal,
  ]

  /// The journal cannot be read.
  package static let noJournal = Self("no-journal")
  /// There is no such log of an earlier run.
  package static let noKeptLog = Self("no-kept-log")
  /// No service of the image has this name, or several have it.
  package static let noSuchService = Self("no-such-service")
  /// No mounted stick has this name, or several have it.
  package static let noSuchStick = Self("no-such-stick")
  /// A helper of the image ended without an answer.
  package static let helperSilent = Self("helper-silent")
  /// The line is not a valid command.
  package static let wrongLine = Self("wrong-line")
  /// The command needs the option `--yes`, because the console cannot ask.
  package static let needsConfirmation = Self("needs-confirmation")
  /// The command needs the password of the console, and the console cannot ask.
  package static let needsPassword = Self("needs-password")
  /// The command works only on a terminal.
  package static let needsTerminal = Self("needs-terminal")

  // MARK: Phones

  package static let ofPhones: [Self] = [
    .noBluetooth, .noSystemBus, .noBluetoothd, .noAdapter, .noPairingAgent, .pairingClosed,
    .pairingBusy, .pairingFailed, .noPairingRequest, .noSuchPhone, .ambiguousPhone,
    .phonePaired, .phoneNotPaired, .phoneConnected, .phoneNotConnected, .phoneNotController,
    .bluetoothFailed,
  ]

  /// The unit is built without Bluetooth.
  package static let noBluetooth = Self("no-bluetooth")
  /// There is no system bus.
  package static let noSystemBus = Self("no-system-bus")
  /// bluetoothd does not run.
  package static let noBluetoothd = Self("no-bluetoothd")
  /// bluetoothd has no adapter.
  package static let noAdapter = Self("no-adapter")
  /// bluetoothd uses the pairing agent of another program.
  package static let noPairingAgent = Self("no-pairing-agent")
  /// Pairing is not open.
  package static let pairingClosed = Self("pairing-closed")
  /// The unit is pairing with another device.
  package static let pairingBusy = Self("pairing-busy")
  /// Pairing was tried and did not work.
  package static let pairingFailed = Self("pairing-failed")
  /// No phone requests pairing, or the request has another number.
  package static let noPairingRequest = Self("no-pairing-request")
  /// No phone has this address or name.
  package static let noSuchPhone = Self("no-such-phone")
  /// Several phones have this name.
  package static let ambiguousPhone = Self("ambiguous-phone")
  /// The device is paired already.
  package static let phonePaired = Self("phone-paired")
  /// The phone is not paired.
  package static let phoneNotPaired = Self("phone-not-paired")
  /// The device is connected, so it cannot be paired now.
  package static let phoneConnected = Self("phone-connected")
  /// The phone is not connected.
  package static let phoneNotConnected = Self("phone-not-connected")
  /// The device is not an AVRCP controller, so the unit cannot connect to the device. Only the device itself can open
  /// the connection.
  package static let phoneNotController = Self("phone-not-controller")
  /// bluetoothd answered a request with an error.
  package static let bluetoothFailed = Self("bluetooth-failed")
}

extension Refusal {
  /// The answer of a part that does not start in safe mode.
  package static let safeMode = Refusal(
    .safeMode, "the unit is in safe mode, because its last starts failed",
    remedy: "'boot retry' starts the unit normally")
}
