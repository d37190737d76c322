import Control
import LibraryModel
import NowPlaying

/// Fake playlists. They record the requests in `done`.
final class FakePlaylists: ControlledPlaylists {
  var done: [String] = []
  var refusal: Refusal?

  private func perform(_ text: String, _ completion: (Refusal?) -> Void) {
    done.append(text)
    completion(refusal)
  }

  func saveQueue(as name: String, completion: @escaping (Refusal?) -> Void) {
    perform("save \(name)", completion)
  }

  func add(
    _ list: TrackList?, row: RowReference?, to name: String, again: Bool,
    completion: @escaping (Refusal?) -> Void
  ) {
    let row = row?.identifier ?? "-"
    perform("add \(list?.text ?? "-") \(row) to \(name)\(again ? " again" : "")", completion)
  }

  func remove(
    _ row: RowReference, from name: String, completion: @escaping (Refusal?) -> Void
  ) {
    perform("remove \(row.identifier) from \(name)", completion)
  }

  func rename(_ name: String, to new: String, completion: @escaping (Refusal?) -> Void) {
    perform("rename \(name) to \(new)", completion)
  }

  func delete(_ name: String, completion: @escaping (Refusal?) -> Void) {
    perform("delete \(name)", completion)
  }
}
