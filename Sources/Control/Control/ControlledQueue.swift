package import LibraryModel
package import NowPlaying
package import Reports

/// The queue of the daemon. Its edits are commands of Now Playing. Control thread; no call blocks.
package protocol ControlledQueue: AnyObject {
  /// A part of the queue from a place on, with at most `limit` entries.
  func report(first: Int, limit: Int) -> QueueReport
  /// Plays a list of the library, or one of its rows and what follows. Passes nil to `completion` if it is done.
  func play(
    _ list: TrackList, row: RowReference?, _ mode: PlayMode,
    completion: @escaping (Refusal?) -> Void)
  /// The lists that were left, the latest first, without the one that plays.
  var recent: [RecentReport] { get }
  /// Plays a source of music, where it was left.
  func choose(_ source: String, completion: @escaping (Refusal?) -> Void)
}
