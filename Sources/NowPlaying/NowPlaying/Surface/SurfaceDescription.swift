/// What the head unit knows of a surface.
public struct SurfaceDescription: Hashable, Sendable, Identifiable {
  /// Which.
  public let id: SurfaceID
  /// Whether it shows the Now Playing template: when such a surface connects, sources configure it
  /// (T1).
  public let showsTemplate: Bool
  /// Whether it only sends, as keys do: it shows nothing, so there is no loop-back to be tested (C7)
  /// and nothing to be compared (P12).
  public let isInputOnly: Bool

  /// See the fields.
  public init(id: SurfaceID, showsTemplate: Bool = false, isInputOnly: Bool = false) {
    self.id = id
    self.showsTemplate = showsTemplate
    self.isInputOnly = isInputOnly
  }
}
