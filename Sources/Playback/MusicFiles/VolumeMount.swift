/// A volume with music, and the folder in which it is mounted.
public struct VolumeMount: Hashable, Sendable {
  /// Does not depend on the port and on the kernel's name of a stick.
  public let identity: String
  /// The folder, without a slash at the end. Nil while the volume is not there.
  public let path: String?
  /// True if the volume is a medium, whose links may not lead out of it.
  let isMedium: Bool

  public init(identity: String, path: String?, isMedium: Bool = false) {
    self.identity = identity
    self.path = path
    self.isMedium = isMedium
  }
}
