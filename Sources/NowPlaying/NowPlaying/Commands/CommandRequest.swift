/// Everything that a surface can request from the head unit.
public enum CommandRequest: Hashable, Sendable, CustomStringConvertible {
  /// A command to the primary session.
  case media(MediaRequest)
  /// A change of the head unit's volume.
  case volume(VolumeRequest)
  /// A tap on the template.
  case template(TemplateRequest)
  /// A request to the owner of a list.
  case list(ListRequest)

  /// True if the request changes the volume by a step, for example by a notch of a knob. A knob can send a hundred
  /// steps per second. Each step must have an effect, so quick steps are not treated as the bounce of a contact.
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
    case .list(let request): request.name
    }
  }

  /// Text for traces.
  public var description: String {
    switch self {
    case .media(let request): "\(request)"
    case .volume(let request): "volume \(request)"
    case .template(let request): "template.\(request)"
    case .list(let request): "\(request)"
    }
  }
}

/// A tap on a part of the template.
public enum TemplateRequest: Hashable, Sendable {
  /// A tap on a button. Button 0 is at the leading end (T2).
  case button(Int)
  /// A tap on *Up Next* (T4).
  case upNext
  /// A tap on the album and artist (T4).
  case albumArtist
}
