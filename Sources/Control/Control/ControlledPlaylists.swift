package import LibraryModel
package import NowPlaying

/// The playlists of the unit itself. Control thread; no call blocks.
///
/// A playlist is identified by its name. Upper and lower case count as equal. Each method calls `completion` with nil
/// after the change was saved to the storage, or with the reason why it was not saved.
package protocol ControlledPlaylists: AnyObject {
  /// Saves the queue in its playing order as a playlist. A playlist that already has this name is replaced only if the
  /// queue was made from this playlist. Otherwise the request is refused.
  func saveQueue(as name: String, completion: @escaping (Refusal?) -> Void)
  /// Adds the songs of `list`, or of its row `row`, at the end of the playlist `name`. Creates the playlist if no
  /// playlist has this name.
  /// - Parameters:
  ///   - list: nil to add what plays now.
  ///   - again: true to add also the songs that the playlist contains already.
  func add(
    _ list: TrackList?, row: RowReference?, to name: String, again: Bool,
    completion: @escaping (Refusal?) -> Void)
  /// Removes a song from a playlist.
  func remove(
    _ row: RowReference, from name: String, completion: @escaping (Refusal?) -> Void)
  func rename(_ name: String, to new: String, completion: @escaping (Refusal?) -> Void)
  func delete(_ name: String, completion: @escaping (Refusal?) -> Void)
}
