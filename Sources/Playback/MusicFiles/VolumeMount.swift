/// A volume with music, and the folder in which it is mounted.
public struct VolumeMount: Hashable, Sendable {
  /// The identity of the volume. It does not depend on the port or on the kernel's name of a stick.
  public let identity: String
  /// The folder, without a slash at the end. Nil while the volume is not mounted.
  public let path: String?
  /// True if the volume is a medium. Links on a medium must not lead out of the medium.
  package let isMedium: Bool

  public init(identity: String, path: String?, isMedium: Bool = false) {
    self.identity = identity
    self.path = path
    self.isMedium = isMedium
  }
}
