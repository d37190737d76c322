internal import LibraryCovers
internal import LibraryDatabase
package import LibraryModel
internal import SQLite

// Thumbnails in answers. Without a file of thumbnails, no row has one.
extension LibraryService {
  package func thumbnail(of row: RowReference) throws -> [UInt8] {
    let album: Int64? = try ask { reader throws(DatabaseError) in
      switch row.kind {
      case .album: try reader.hasAlbum(row.id) ? row.id : nil
      case .song: try reader.album(ofSong: SongRowID(row.id).song)
      // A row of another kind has no thumbnail. 0 is no album.
      case .artist, .genre, .playlist, .folder, .problem: 0
      }
    }
    guard let album else { throw LibraryFailure.unknownNode }
    return withCovers { covers throws(DatabaseError) in
      try covers.thumbnail(ofAlbum: album)
    } ?? []
  }

  /// Adds the identities of the thumbnails.
  func addArtwork(to rows: inout [LibraryRow], _ reader: LibraryReader) throws(DatabaseError) {
    var known: [Int64: Int64?] = [:]
    for index in rows.indices {
      let album: Int64
      switch rows[index].kind {
      case .album: album = rows[index].id
      case .song where rows[index].id != 0:
        album = try reader.album(ofSong: SongRowID(rows[index].id).song) ?? 0
      default: continue
      }
      if known[album] == nil {
        known[album] = .some(
          withCovers { covers throws(DatabaseError) in try covers.picture(ofAlbum: album) } ?? nil)
      }
      rows[index].artwork = (known[album] ?? nil).map { String($0, radix: 16) }
    }
  }

  private func withCovers<Value>(
    _ body: (CoverReader) throws(DatabaseError) -> Value
  ) -> Value? {
    let findings = exchange.findings
    if findings.coverGeneration != coverGeneration {
      coverGeneration = findings.coverGeneration
      coverReader = try? CoverReader(in: findings.folder)
    }
    guard let coverReader else { return nil }
    do throws(DatabaseError) {
      return try body(coverReader)
    } catch {
      if error.isOfContent {
        self.coverReader = nil
        exchange.remakeCovers()
      }
      return nil
    }
  }
}
