/// The limits of the library: sizes and times.
package struct LibraryLimits: Sendable {
  /// If the library contains more than this number of volumes, absent volumes are removed.
  package var volumes: Int
  /// If the library contains more than this number of songs, absent volumes are removed.
  package var songs: Int
  /// The time from the last scan until the library stores which volumes were present. At a start, sticks appear one
  /// after the other. With this delay, they are stored together.
  package var settling: Duration
  /// If a medium does not answer for this time, its volume counts as unreadable.
  package var silence: Duration
  /// Maximum size of the database in the storage, in bytes. Nil if the size is not limited.
  package var databaseBytes: Int?

  package init(
    volumes: Int = 8, songs: Int = 200_000, settling: Duration = .seconds(60),
    silence: Duration = .seconds(20), databaseBytes: Int? = nil
  ) {
    self.volumes = volumes
    self.songs = songs
    self.settling = settling
    self.silence = silence
    self.databaseBytes = databaseBytes
  }
}
