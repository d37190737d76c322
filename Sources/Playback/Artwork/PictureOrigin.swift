internal import Files

/// A picture file as it was found. If path, size and modification time are equal, the bytes count
/// as equal.
struct PictureOrigin {
  let path: String
  let stamp: FileStamp

  /// The name under which the cache stores this origin. A zero byte separates the parts, because no
  /// path contains one.
  var link: CacheName {
    let age = "\0\(stamp.size)\0\(stamp.seconds)\0\(stamp.nanoseconds)"
    return .link(PictureKey(of: FileName.bytes(path) + Array(age.utf8)))
  }
}
