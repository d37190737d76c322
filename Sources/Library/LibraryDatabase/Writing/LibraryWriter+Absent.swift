public import SQLite

// Volumes that are absent are kept as long as there is room.
extension LibraryWriter {
  /// Notes that these volumes were there since the start of the program. The other volumes were not. Writes
  /// nothing if this is known already.
  public func noteSeen(_ identities: Set<String>) throws(DatabaseError) {
    var noted: [Int64] = []
    var others: [Int64] = []
    try database.statement("SELECT identity, seen FROM volume").execute {
      row throws(DatabaseError) in
      // A damaged number must not overflow.
      let number = min(max(row.integer(1), 0), 1 << 60)
      if identities.contains(row.text(0)) { noted.append(number) } else { others.append(number) }
      return true
    }
    guard let first = noted.min(), let last = noted.max() else { return }
    if first == last, others.allSatisfy({ $0 < last }) { return }
    let number = (noted + others).reduce(0, max) + 1
    try transaction { () throws(DatabaseError) in
      let note = try database.statement("UPDATE volume SET seen = ?2 WHERE identity = ?1")
      for identity in identities { try note.execute(.text(identity), .integer(number)) }
    }
  }

  /// The absent volume that must be removed to make room; nil if there is room.
  public func surplusVolume(
    present: Set<String>, maximumVolumes: Int, maximumSongs: Int
  ) throws(DatabaseError) -> (identity: String, label: String)? {
    var count = 0
    var oldest: (identity: String, label: String)?
    try database.statement("SELECT identity, label FROM volume ORDER BY seen, id").execute {
      row throws(DatabaseError) in
      count += 1
      if oldest == nil, !present.contains(row.text(0)) { oldest = (row.text(0), row.text(1)) }
      return true
    }
    guard let oldest else { return nil }
    if count > maximumVolumes { return oldest }
    let songs = try database.statement("SELECT count(*) FROM track").integer() ?? 0
    return songs > maximumSongs ? oldest : nil
  }
}
