/// Everything that a surface can request from the head unit.
public enum CommandRequest: Hashable, Sendable, CustomStringConvertible {
  /// A command to the primary session.
  case media(MediaRequest)
  /// A change of the head unit's volume.
  case volume(VolumeRequest)
  /// A tap on the template.
  case template(TemplateRequest)

  /// True for one step of a knob. A knob may send a hundred steps a second, and each step has an
  /// effect.
  var isIncrement: Bool {
    if case .volume(.change) = self { return true }
    return false
  }

  /// The name without values. Statistics use it as their key.
  public var name: String {
    switch self {
    case .media(let request): request.kind.rawValue
    case .volume(.set): "volume"
    case .volume(.change(let thousandths)): thousandths < 0 ? "quieter" : "louder"
    case .volume(.setMuted), .volume(.toggleMuted): "mute"
    case .template(.button): "button"
    case .template(.upNext): "upNext"
    case .template(.albumArtist): "albumArtist"
    }
  }

  /// Text for traces.
  public var description: String {
    switch self {
    case .media(let request): "\(request)"
    case .volume(let request): "volume \(request)"
    case .template(let request): "template.\(request)"
    }
  }
}

/// A tap on the Now Playing screen that is not a media command itself.
public enum TemplateRequest: Hashable, Sendable {
  /// On a button; 0 is the button at the leading end (T2).
  case button(Int)
  /// On *Up Next* (T4).
  case upNext
  /// On the album and artist (T4).
  case albumArtist
}
