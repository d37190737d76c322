/// The players of one session: one player, or the two decks of a cross-fade (E8).
///
/// They play content of the same session, so they are shown as one. Surfaces show the report of the
/// leading deck only. In a cross-fade the leader changes once, when the source sets another leader.
public struct SessionPlayers: Hashable, Sendable {
  /// The last report of each deck, by the number of the deck.
  public private(set) var reports: [Int: PlayerReport]
  /// The deck whose report is shown.
  public private(set) var leader: Int

  /// One player.
  public init(_ report: PlayerReport) {
    reports = [0: report]
    leader = 0
  }

  /// Several players with a leader. Nil if `leader` is not one of them.
  public init?(_ reports: [Int: PlayerReport], leader: Int) {
    guard reports[leader] != nil else { return nil }
    self.reports = reports
    self.leader = leader
  }

  /// The report of the leading deck.
  public var leading: PlayerReport? { reports[leader] }
}
