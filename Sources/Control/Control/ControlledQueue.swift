internal import LibraryModel
internal import NowPlaying
package import Reports

/// Reads the queue of the daemon. The queue is changed with commands of Now Playing. Control thread; no call blocks.
package protocol ControlledQueue: AnyObject {
  /// A part of the queue: at most `limit` entries, starting with the entry at index `first`.
  func report(first: Int, limit: Int) -> QueueReport
  /// The lists that played before the present list, latest first. The present list is not included.
  var recent: [RecentReport] { get }
}
