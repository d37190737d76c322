/// The facts about a surface that the center needs.
public struct SurfaceDescription: Hashable, Sendable, Identifiable {
  /// The identity.
  public let id: SurfaceID
  /// True if the surface shows the Now Playing template. When such a surface connects, sources configure their
  /// templates (T1).
  public let showsTemplate: Bool
  /// True if the surface only sends commands, as keys do, and shows nothing. The center does not test the connection in
  /// both directions (C7), and there is no display to compare with the state (P12).
  public let isInputOnly: Bool

  public init(id: SurfaceID, showsTemplate: Bool = false, isInputOnly: Bool = false) {
    self.id = id
    self.showsTemplate = showsTemplate
    self.isInputOnly = isInputOnly
  }
}
