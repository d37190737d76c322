internal import Glibc
internal import LibraryDatabase
internal import LibraryModel
internal import SQLite

// The first part of a scan: the names of folders and files.
extension VolumeScan {
  /// Compares a folder and all folders in it with the library.
  func readNames(
    _ path: [UInt8], folder: Int64, volume: Int64, depth: Int
  ) throws(DatabaseError) {
    guard continues() else { return }
    willList(path, depth)
    var listing = listing(path, maximumNameBytes: limits.nameBytes - openNameBytes)
    if depth == 0 { root = listing.identity }
    if depth == 0, listing.isEmpty {
      // A music folder of the configuration may be missing.
      result.ending = [0, ENOENT].contains(listing.failure) ? .empty : .lost
      return
    }
    if listing.isOutside || listing.identity.map({ !entered.insert($0).inserted }) ?? false {
      // The folder was entered by another path, or is not on the medium. What an earlier scan has found by this path is gone.
      goneFiles += try writer.files(in: folder).map(\.id)
      goneFolders += try writer.folders(in: folder).map(\.id)
      return
    }
    if listing.isCut { result.wasCut = true }
    try compareFiles(listing, folder)
    listing.dropFiles()
    let nameBytes = listing.folderBytes
    openNameBytes += nameBytes
    defer { openNameBytes -= nameBytes }
    var known: [[UInt8]: Int64] = [:]
    for stored in try writer.folders(in: folder) { known[stored.name] = stored.id }
    for found in listing.folders {
      let name = found.name
      let child = path + [UInt8(ascii: "/")] + name
      if options.otherVolumes.contains(child) { continue }
      guard depth < limits.depth, entered.count < limits.files else {
        result.wasCut = true
        break
      }
      let id: Int64
      if let stored = known.removeValue(forKey: name) {
        id = stored
      } else {
        id = try writer.addFolder(name, in: folder, volume: volume)
      }
      let wasLinked = isLinked
      isLinked = isLinked || found.isLink
      try readNames(child, folder: id, volume: volume, depth: depth + 1)
      isLinked = wasLinked
      if !continuesToEnd { return }
    }
    if listing.isComplete, !result.wasCut { goneFolders += known.values }
  }

  /// The names in a folder. Each name is an access to the medium, so a large folder is no medium that does not answer.
  func listing(
    _ path: [UInt8], maximumNameBytes: Int = FolderListing.maximumNameBytes
  ) -> FolderListing {
    defer { willRead(.none) }
    return FolderListing(
      path, edge: edge, isLinked: isLinked, maximumNameBytes: maximumNameBytes
    ) { willRead(.folder(path)) }
  }

  func compareFiles(_ listing: FolderListing, _ folder: Int64) throws(DatabaseError) {
    var known: [[UInt8]: LibraryWriter.StoredFile] = [:]
    for stored in try writer.files(in: folder) { known[stored.name] = stored }
    for file in listing.files {
      guard result.files < limits.files else {
        result.wasCut = true
        return
      }
      if let linked = file.linked, !linkedFiles.insert(linked).inserted { continue }
      result.files += 1
      noteFile()
      guard let stored = known.removeValue(forKey: file.name) else {
        try writer.addFile(file.name, file.stamp, in: folder)
        noteUnread()
        continue
      }
      let isSame = shift.isSame(stored.stamp, file.stamp)
      if !isSame { try writer.change(stored.id, to: file.stamp) }
      if !isSame || !stored.isRead { noteUnread() }
    }
    if listing.isComplete { goneFiles += known.values.map(\.id) }
  }
}
