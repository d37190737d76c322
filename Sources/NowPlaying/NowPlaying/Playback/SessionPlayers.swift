/// The players of one session: one, or the two decks of a cross-fade (E8).
///
/// They play the same session's content, so they are shown as one: the leading deck speaks, the
/// others sound. A cross-fade is one change of the leader, at the moment the source says so.
public struct SessionPlayers: Hashable, Sendable {
  /// Every deck's last report, by deck.
  public private(set) var reports: [Int: PlayerReport]
  /// Which deck speaks.
  public private(set) var leader: Int

  /// One player.
  public init(_ report: PlayerReport) {
    reports = [0: report]
    leader = 0
  }

  /// Several, of which `leader` speaks. Nil where it is not among them.
  public init?(_ reports: [Int: PlayerReport], leader: Int) {
    guard reports[leader] != nil else { return nil }
    self.reports = reports
    self.leader = leader
  }

  /// What the session says.
  public var leading: PlayerReport? { reports[leader] }
}
