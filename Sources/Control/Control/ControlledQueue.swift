package import LibraryModel
package import NowPlaying
package import Reports

/// The queue of the daemon. Control thread; no call blocks.
///
/// An edit names the revision of the queue that its author has seen, so an edit of a queue that has
/// changed meanwhile is refused. A method that returns a refusal returns nil if the edit was done.
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
  /// Moves an entry before another one. Nil for the end.
  func move(_ entry: Int, before other: Int?, revision: Int) -> Refusal?
  /// Removes an entry.
  func remove(_ entry: Int, revision: Int) -> Refusal?
  /// Removes all entries but the current one.
  func clear(revision: Int) -> Refusal?
  /// Undoes the last edit.
  func undo(revision: Int) -> Refusal?
}
