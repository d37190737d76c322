/// The players of one session, also called decks: one, or several, for example two during a cross-fade (E8).
///
/// Surfaces show the players of a session as one player: they show only the report of the leading deck. During a
/// cross-fade the leader changes once, when the source sets another leader.
public struct SessionPlayers: Hashable, Sendable {
  /// The last report of each deck. The key is the number of the deck.
  public private(set) var reports: [Int: PlayerReport]
  /// The deck whose report is shown.
  public private(set) var leader: Int

  /// Creates the value for one player.
  public init(_ report: PlayerReport) {
    reports = [0: report]
    leader = 0
  }

  /// Creates the value for several players. Nil if `leader` is not one of these players.
  public init?(_ reports: [Int: PlayerReport], leader: Int) {
    guard reports[leader] != nil else { return nil }
    self.reports = reports
    self.leader = leader
  }

  /// The report of the leading deck.
  public var leading: PlayerReport? { reports[leader] }
}
