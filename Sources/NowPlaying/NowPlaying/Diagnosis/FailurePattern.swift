/// A known failure of Now Playing (D2). The raw value is the number of the pattern. Patterns with the same digit have
/// the same subject; for example, 3 is artwork.
public enum FailurePattern: String, Hashable, Sendable, CaseIterable {
  case mixable = "1a"
  case outputLost = "1b"
  case notActivated = "1c"
  case deactivatedEarly = "1d"
  case noContent = "1e"
  case noHandler = "2a"
  case disabled = "2b"
  case noAnswer = "2c"
  case noChannel = "2d"
  case noInterval = "2e"
  case noPicture = "3a"
  case unusablePicture = "3b"
  case latePicture = "3c"
  case severalPictures = "3d"
  case wrongStatus = "4a"
  case wrongElapsed = "4b"
  case noDuration = "4c"
  case anotherSession = "5"
  case noScreen = "6a"
  case lateConfiguration = "6b"
  case surplusButtons = "6c"
  case anotherWriter = "7"
  case interrupted = "8a"
  case takenOver = "8b"
  case pausedByPerson = "8c"
  case stoppedItself = "8d"
  case waitsForData = "8e"
  case muted = "8f"

  /// The short name.
  public var name: String {
    switch self {
    case .mixable: "the sound only mixes with music"
    case .outputLost: "output lost"
    case .notActivated: "the source is not active"
    case .deactivatedEarly: "the source has ended"
    case .noContent: "nothing to play"
    case .noHandler: "the source does not have the command"
    case .disabled: "the command is not possible now"
    case .noAnswer: "the source does not answer"
    case .noChannel: "surface not connected"
    case .noInterval: "the skip has no length"
    case .noPicture: "no cover"
    case .unusablePicture: "the picture cannot be used"
    case .latePicture: "the cover came after its track"
    case .severalPictures: "the cover changed within a track"
    case .wrongStatus: "another status is shown"
    case .wrongElapsed: "another time is shown"
    case .noDuration: "the duration is unknown"
    case .anotherSession: "another source is Now Playing"
    case .noScreen: "no screen is connected"
    case .lateConfiguration: "the buttons came late"
    case .surplusButtons: "more than five buttons"
    case .anotherWriter: "another program writes to the surface"
    case .interrupted: "an interruption"
    case .takenOver: "another source took over"
    case .pausedByPerson: "someone pressed pause"
    case .stoppedItself: "the source stopped"
    case .waitsForData: "no data arrives"
    case .muted: "the sound is muted"
    }
  }

  /// What the owner of the unit can do.
  public var remedy: String {
    switch self {
    case .mixable: "choose another source; this sound is never shown"
    case .outputLost: "check the plug of the sound card; 'audio' lists the cards"
    case .notActivated: "choose the source again"
    case .deactivatedEarly: "play something on it again"
    case .noContent: "play something on it; 'library' lists the music"
    case .noHandler: "use another command or source; 'now --json' lists the commands"
    case .disabled: "try again with other music"
    case .noAnswer:
      "a phone: connect it again; otherwise keep a 'report', then 'service restart daemon'"
    case .noChannel: "connect the screen or the phone again"
    case .noInterval: "say how far to skip, such as 'skip 15'"
    case .noPicture: "add a picture to the file or to its folder"
    case .unusablePicture: "use a JPEG or PNG picture; 'log' names the file"
    case .latePicture: "nothing; a slow medium delays covers"
    case .severalPictures: "play the track again; if it happens again, keep 'log'"
    case .wrongStatus:
      "pause and play again; if it stays wrong, restart the program of the surface, or connect the phone again"
    case .wrongElapsed:
      "pause and play again; if it stays wrong, restart the program of the surface, or connect the phone again"
    case .noDuration: "nothing; some phones and streams do not tell it"
    case .anotherSession: "choose the source: 'source NAME'"
    case .noScreen: "switch the screen on, or restart its program"
    case .lateConfiguration: "restart the program of the source"
    case .surplusButtons: "configure at most \(NowPlayingTemplate.maximumButtons)"
    case .anotherWriter: "end the other program that writes to the surface"
    case .interrupted: "wait until it ends, or 'interrupt end NAME', then play"
    case .takenOver: "choose the source again: 'source NAME'"
    case .pausedByPerson: "play again; 'trace' shows which key or surface it was"
    case .stoppedItself:
      "play again; set 'repeat all' or 'queue-end' to continue after the queue; a phone can pause by itself"
    case .waitsForData: "wait; if it lasts, use another stick, or go closer with the phone"
    case .muted: "mute off, or volume 30"
    }
  }
}
