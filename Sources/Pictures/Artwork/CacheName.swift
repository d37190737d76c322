/// The names of files in the cache. Files with other names are ignored: they are not used, not counted and never
/// removed. So no file is lost if the configuration names a wrong folder.
enum CacheName: Hashable {
  /// A picture. Its name contains the hash of its bytes.
  case picture(PictureKey, ImageKind)
  /// A symbolic link to a picture. The name of the link contains the hash of the picture's origin.
  case link(PictureKey)
  /// A picture that is not completely written yet. After a power cut, this file can remain.
  case unfinished

  init?(_ name: String) {
    if name == Self.unfinished.text {
      self = .unfinished
      return
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let key = PictureKey(hex: parts[0]) else { return nil }
    switch parts[1] {
    case "jpg": self = .picture(key, .jpeg)
    case "png": self = .picture(key, .png)
    case "link": self = .link(key)
    default: return nil
    }
  }

  var text: String {
    switch self {
    case .picture(let key, let kind): key.hex + kind.suffix
    case .link(let key): key.hex + ".link"
    case .unfinished: "unfinished.part"
    }
  }
}
