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

  /// The short name.
  public var name: String {
    switch self {
    case .mixable: "wrong category"
    case .outputLost: "output lost"
    case .notActivated: "not activated"
    case .deactivatedEarly: "deactivated early"
    case .noContent: "nothing published"
    case .noHandler: "missing handler"
    case .disabled: "command disabled"
    case .noAnswer: "handler does not answer"
    case .noChannel: "surface not connected"
    case .noInterval: "no preferred interval"
    case .noPicture: "provider has no picture"
    case .unusablePicture: "wrong format or size"
    case .latePicture: "race between tracks"
    case .severalPictures: "several updates of one track"
    case .wrongStatus: "status not updated"
    case .wrongElapsed: "elapsed time not updated"
    case .noDuration: "duration not set"
    case .anotherSession: "another session is primary"
    case .noScreen: "no screen is connected"
    case .lateConfiguration: "configured at the wrong time"
    case .surplusButtons: "more than five buttons"
    case .anotherWriter: "another program writes to the surface"
    }
  }

  /// The remedy for the programmer of the source or surface.
  public var remedy: String {
    switch self {
    case .mixable: MissingPart.audioSessionMixable.remedy
    case .outputLost: "reconnect the output and call outputRegained"
    case .notActivated: MissingPart.audioSessionInactive.remedy
    case .deactivatedEarly: "deactivate only when the session has nothing left to show"
    case .noContent: MissingPart.noContent.remedy
    case .noHandler: "declare the command"
    case .disabled: "enable the command when it is possible"
    case .noAnswer: "call the reply in every branch of the handler"
    case .noChannel: "connect the surface before it sends commands, then run the loop-back test"
    case .noInterval: "declare preferredIntervals"
    case .noPicture: "publish artwork whose provider returns a picture"
    case .unusablePicture: "return JPEG or PNG, scaled to the requested size"
    case .latePicture: "cancel loading when the track changes"
    case .severalPictures: "publish one artwork per content, and a new identity for a new picture"
    case .wrongStatus: "publish at every start, pause and change of rate"
    case .wrongElapsed: "publish elapsed time and moment after every seek"
    case .noDuration: "publish the duration: finite, live or continuous"
    case .anotherSession: "call becomeActiveIfPossible when a person selects this source"
    case .noScreen: "connect a surface that shows the template"
    case .lateConfiguration: "configure the template in didConnect"
    case .surplusButtons: "configure at most \(NowPlayingTemplate.maximumButtons)"
    case .anotherWriter: "let only one program write to each surface"
    }
  }
}
