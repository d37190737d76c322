internal import Control
internal import Files
internal import LibraryExchange
internal import LibraryModel
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import UnitState

/// Knows the rows of the music that plays: the song, its album and folder, and the list from which the queue was made.
/// Marks these rows in each batch of a list.
///
/// Used on the control thread; no call blocks.
final class CurrentRows {
  private struct Question: Equatable {
    var song: SongReference
    var revision: Int64
  }

  private var question: Question?
  /// The song, its album and its folder in the library.
  private var entries: [RowReference] = []
  /// The id that identifies the song in the playlists of the unit.
  private var ownSong: Int64?
  private var list: LibraryNode?

  /// Finds the rows of the music that plays. Call this when a different song or list begins to play, and when the
  /// library has changed.
  ///
  /// - Parameters:
  ///   - file: the file that plays. Nil if no file plays.
  ///   - list: the text of the ``LibraryNode`` from which the queue was made.
  func update(_ file: MusicFile?, list name: String?, _ library: UnitLibrary) {
    list = file == nil ? nil : name.flatMap { LibraryNode(text: $0) }
    guard let file, file.volume != nil else {
      (question, entries, ownSong) = (nil, [], nil)
      return
    }
    let new = Question(song: file.reference, revision: library.state.songsRevision)
    guard new != question else { return }
    if new.song != question?.song {
      entries = []
      ownSong = OwnPlaylist.identity(of: new.song)
    }
    guard library.state.condition != .unavailable else {
      // The library is asked again when it is available.
      question = nil
      return
    }
    question = new
    library.link.ask(LibraryProcess1.getEntries, new.song) { [weak self] result in
      guard let self, question == new, case .success(let found) = result else { return }
      entries = found
    }
  }

  /// Returns `rows`, in which the rows of the music that plays are marked as current.
  func marked(_ rows: [LibraryRow]) -> [LibraryRow] {
    rows.map { row in
      var row = row
      row.isCurrent =
        switch row.kind {
        case .song:
          row.id == ownSong
            || entries.contains(RowReference(kind: .song, id: SongRowID(row.id).song))
        case .album, .folder: entries.contains(RowReference(kind: row.kind, id: row.id))
        case .artist, .genre, .playlist: row.node.map { $0 == list } ?? false
        case .problem: false
        }
      return row
    }
  }
}
