/// Everything that a surface can ask of the head unit.
public enum CommandRequest: Hashable, Sendable, CustomStringConvertible {
  /// Of what plays.
  case media(MediaRequest)
  /// Of the head unit's volume.
  case volume(VolumeRequest)
  /// A tap on the template.
  case template(TemplateRequest)

  /// A turn of a knob may come a hundred times a second, and every one counts.
  var isIncrement: Bool {
    if case .volume(.change) = self { return true }
    return false
  }

  /// Which, without what goes with it: what statistics count by.
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

  /// For a trace.
  public var description: String {
    switch self {
    case .media(let request): "\(request)"
    case .volume(let request): "volume \(request)"
    case .template(let request): "template.\(request)"
    }
  }
}

/// A tap on the Now Playing screen that is no media command by itself.
public enum TemplateRequest: Hashable, Sendable {
  /// On a button, from 0 at the leading end (T2).
  case button(Int)
  /// On *Up Next* (T4).
  case upNext
  /// On the album and artist (T4).
  case albumArtist
}
