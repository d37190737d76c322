internal import Files

/// A picture file as it was found. As long as its path, size and age are the same, so is it.
struct PictureOrigin {
  let path: String
  let stamp: FileStamp

  /// Under which the cache knows it. No path has a zero in it.
  var link: CacheName {
    let age = "\0\(stamp.size)\0\(stamp.seconds)\0\(stamp.nanoseconds)"
    return .link(PictureKey(of: FileName.bytes(path) + Array(age.utf8)))
  }
}
