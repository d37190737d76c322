/// How much the library keeps, and when it works on what it keeps.
package struct LibraryLimits: Sendable {
  /// Volumes that are absent are kept while the library has at most this number of volumes.
  package var volumes: Int
  /// Volumes that are absent are kept while the library has at most this number of songs.
  package var songs: Int
  /// Which volumes were there is noted this time after the last scan, so that sticks that come one after the other at
  /// the start are noted together.
  package var settling: Duration
  /// A medium that does not answer for this time makes its volume unreadable.
  package var silence: Duration
  /// Maximum size of the database in the storage. Nil for no limit.
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
