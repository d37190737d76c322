internal import Files

/// A picture file at the time when it was found. If path, size and modification time have not changed, the bytes count
/// as unchanged.
struct PictureOrigin {
  let path: String
  let stamp: FileStamp

  /// The name under which the cache stores this origin. A NUL separates the parts, because a path cannot contain a NUL.
  var link: CacheName {
    let age = "\0\(stamp.size)\0\(stamp.seconds)\0\(stamp.nanoseconds)"
    return .link(PictureKey(of: FileName.bytes(path) + Array(age.utf8)))
  }
}
