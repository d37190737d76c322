package import SQLite

/// Reads the thumbnails.
///
/// - Thread: one thread at a time.
/// - Blocks: each call reads some pages of the storage.
package final class CoverReader {
  private let pictureOfAlbum: Statement
  private let bytesOfPicture: Statement

  /// - Parameter folder: the folder in which a ``CoverWriter`` has created the file.
  package init(in folder: String) throws(DatabaseError) {
    let database = try CoverFile.reader(in: folder)
    pictureOfAlbum = try database.statement(
      "SELECT picture FROM cover WHERE album = ?1 AND picture <> 0 ORDER BY volume LIMIT 1")
    bytesOfPicture = try database.statement("SELECT bytes FROM picture WHERE id = ?1")
  }

  /// The id of the thumbnail of an album. Nil if the album has no thumbnail. Albums with the same picture have the same
  /// thumbnail.
  package func picture(ofAlbum album: Int64) throws(DatabaseError) -> Int64? {
    try pictureOfAlbum.integer(.integer(album))
  }

  /// The thumbnail of an album as JPEG. Empty if the album has no thumbnail.
  package func thumbnail(ofAlbum album: Int64) throws(DatabaseError) -> [UInt8] {
    guard let picture = try picture(ofAlbum: album) else { return [] }
    var bytes: [UInt8] = []
    try bytesOfPicture.execute(.integer(picture)) { row throws(DatabaseError) in
      bytes = row.bytes(0)
      return false
    }
    return bytes
  }
}
