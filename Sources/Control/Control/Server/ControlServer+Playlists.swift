internal import EventLoop
internal import LibraryModel
internal import NowPlaying
internal import Reports

// Calls about the playlists of the unit.
extension ControlServer {
  static let playlistMethods = [
    "SavePlaylist", "AddToPlaylist", "RemoveFromPlaylist", "RenamePlaylist", "DeletePlaylist",
  ]

  func playlists(_ call: MethodCall) throws {
    var arguments = call.arguments
    let name = try arguments.string()
    let playlists = unit.playlists
    let completion = answer(call)
    switch call.member {
    case "SavePlaylist": playlists.saveQueue(as: name, completion: completion)
    case "AddToPlaylist":
      let listName = try arguments.string()
      let list = listName.isEmpty ? nil : try Self.list(listName)
      let row = try Self.row(try arguments.string())
      playlists.add(list, row: row, to: name, completion: completion)
    case "RemoveFromPlaylist":
      guard let row = try Self.row(try arguments.string()) else {
        throw Refusal(.noSuchItem, "there is no such row")
      }
      playlists.remove(row, from: name, completion: completion)
    case "RenamePlaylist":
      playlists.rename(name, to: try arguments.string(), completion: completion)
    default: playlists.delete(name, completion: completion)
    }
  }

  static func list(_ name: String) throws(Refusal) -> TrackList {
    guard let list = TrackList(text: name) else {
      throw Refusal(.unknownNode)
    }
    return list
  }

  /// The row with this identity. Nil for an empty text.
  static func row(_ name: String) throws(Refusal) -> RowReference? {
    let row = RowReference(identifier: name)
    if row == nil, !name.isEmpty { throw Refusal(.noSuchItem, "there is no such row") }
    return row
  }
}
