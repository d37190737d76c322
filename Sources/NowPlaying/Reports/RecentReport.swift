/// A list of songs, such as an album, that was played before the user chose another list. Also contains the song and
/// the position at which the list was left.
package struct RecentReport: Hashable, Sendable {
  /// Maximum number of lists that a client can request.
  package static let limit = 16

  /// The identity of the list in the library.
  package var list: String
  /// The title of the list; empty for a fixed list of the library, such as all songs.
  package var title: String
  /// The title of the song.
  package var song: String
  /// The position in the song.
  package var elapsed: Duration
  /// True if the medium of the song is not connected.
  package var isAbsent: Bool
  /// The part of the list that was heard, from 0 to 1. Nil if unknown.
  package var heard: Double?

  package init(
    list: String, title: String, song: String, elapsed: Duration, isAbsent: Bool,
    heard: Double? = nil
  ) {
    self.heard = heard
    self.list = list
    self.title = title
    self.song = song
    self.elapsed = elapsed
    self.isAbsent = isAbsent
  }
}
