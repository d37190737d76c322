package import LibraryModel
package import NowPlaying

/// The playlists of the unit itself. Control thread; no call blocks.
///
/// A list is named by its name; capital and small letters count as equal. Each method passes nil to `completion` when
/// the change is on the storage, or the reason why it was not made.
package protocol ControlledPlaylists: AnyObject {
  /// Saves the queue in its playing order as a new list. The list from which the queue was made is replaced.
  func saveQueue(as name: String, completion: @escaping (Refusal?) -> Void)
  /// Adds the songs of a list, or of one of its rows, at the end of a list. If there is no list with this name, makes
  /// one.
  /// - Parameter list: nil for what plays.
  func add(
    _ list: TrackList?, row: RowReference?, to name: String,
    completion: @escaping (Refusal?) -> Void)
  /// Removes a song.
  func remove(
    _ row: RowReference, from name: String, completion: @escaping (Refusal?) -> Void)
  func rename(_ name: String, to new: String, completion: @escaping (Refusal?) -> Void)
  func delete(_ name: String, completion: @escaping (Refusal?) -> Void)
}
