/// What the head unit knows of a surface.
public struct SurfaceDescription: Hashable, Sendable, Identifiable {
  /// Which.
  public let id: SurfaceID
  /// Whether it shows the Now Playing template: when such a surface connects, sources configure it
  /// (T1).
  public let showsTemplate: Bool

  /// See the fields.
  public init(id: SurfaceID, showsTemplate: Bool = false) {
    self.id = id
    self.showsTemplate = showsTemplate
  }
}
