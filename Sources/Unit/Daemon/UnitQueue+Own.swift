internal import LibraryModel
internal import NowPlaying
internal import Reports
internal import UnitState

extension UnitQueue {
  /// Plays a playlist of the unit where it was left; from its beginning if the song is not in it any more.
  func resume(
    _ place: SavedPlaces.Place, inOwn list: TrackList, _ completion: @escaping (Refusal?) -> Void
  ) {
    let entry = OwnPlaylist.Entry(volume: place.volume, path: place.path)
    let song = RowReference(kind: .song, id: OwnPlaylist([entry]).identities[0])
    let parent = place.context.parent
    let seconds = Double(place.milliseconds) / 1000
    play(list, row: song, .now, at: seconds, parent: parent) { [weak self] refusal in
      guard let self, refusal?.code == .noSuchItem else { return completion(refusal) }
      play(list, row: nil, .now, at: 0, parent: parent, completion)
    }
  }
}
