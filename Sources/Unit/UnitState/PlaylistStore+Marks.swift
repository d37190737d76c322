/// A mark that a person gives to a song, or takes away.
public enum SongMark: Equatable, Sendable {
  /// In the favourites. Such a song is not disliked.
  case liked(Bool)
  /// Left out of shuffle. Such a song is not a favourite.
  case disliked(Bool)
  /// The rating, 0 … ``SongOpinion/maximum``.
  case halfStars(UInt8)
  /// A time in the song. Nil removes the bookmark.
  case bookmark(SongTime?)
}

// The marks of songs. Each file is replaced as a whole, so after a power cut the mark is there or not. Of two files,
// the one that loses a song is written first: a song never has two marks that exclude each other.
extension PlaylistStore {
  /// Gives a song a mark, or takes it away.
  public mutating func mark(
    _ entry: OwnPlaylist.Entry, _ mark: SongMark
  ) throws(PlaylistFailure) {
    switch mark {
    case .liked(let isLiked):
      guard isLiked else { return try remove(entry, from: .favourites) }
      try change(entry) { $0.isDisliked = false }
      try add([entry], to: PlaylistName.favourites.text)
    case .disliked(let isDisliked):
      if isDisliked { try remove(entry, from: .favourites) }
      try change(entry) { $0.isDisliked = isDisliked }
    case .halfStars(let halfStars):
      try change(entry) { $0.halfStars = min(halfStars, SongOpinion.maximum) }
    case .bookmark(nil): try remove(entry, from: .bookmarks)
    case .bookmark(let time): try put(entry, at: time)
    }
  }

  private mutating func remove(
    _ entry: OwnPlaylist.Entry, from name: PlaylistName
  ) throws(PlaylistFailure) {
    var list = try playlist(name)
    let count = list.entries.count
    list.entries.removeAll { $0.reference == entry.reference }
    if list.entries.count < count { try write(list, name) }
  }

  /// Puts a bookmark before the others, so that the latest one is first.
  private mutating func put(
    _ entry: OwnPlaylist.Entry, at time: SongTime?
  ) throws(PlaylistFailure) {
    var list = try playlist(.bookmarks)
    list.entries.removeAll { $0.reference == entry.reference }
    guard list.entries.count < OwnPlaylist.maximumEntries else {
      throw .tooManyEntries(PlaylistName.bookmarks.text)
    }
    var entry = entry
    entry.bookmark = time
    list.entries.insert(entry, at: 0)
    try write(list, .bookmarks)
  }

  private mutating func change(
    _ entry: OwnPlaylist.Entry, _ change: (inout SongOpinion) -> Void
  ) throws(PlaylistFailure) {
    var list = try playlist(.opinions)
    let index = list.entries.firstIndex { $0.reference == entry.reference }
    var new = index.map { list.entries[$0] } ?? entry
    let old = new.opinion
    change(&new.opinion)
    guard new.opinion != old else { return }
    switch index {
    case let index? where new.opinion.isEmpty: list.entries.remove(at: index)
    case let index?: list.entries[index] = new
    case nil:
      guard list.entries.count < OwnPlaylist.maximumEntries else {
        throw .tooManyEntries(PlaylistName.opinions.text)
      }
      list.entries.append(new)
    }
    try write(list, .opinions)
  }
}
