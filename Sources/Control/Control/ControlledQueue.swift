internal import LibraryModel
internal import NowPlaying
package import Reports

/// The queue of the daemon. What plays, and its edits, are commands of Now Playing. Control thread; no call blocks.
package protocol ControlledQueue: AnyObject {
  /// A part of the queue from an entry on, with at most `limit` entries.
  func report(first: Int, limit: Int) -> QueueReport
  /// The lists that were left, the latest first, without the one that plays.
  var recent: [RecentReport] { get }
}
