/// Which thumbnails are being loaded, and which do not exist.
struct ThumbnailRequests {
  /// The greatest number of thumbnails that are loaded at the same time. So the thumbnails of a page that is left soon
  /// delay others only briefly.
  private static let limit = 3
  /// The greatest number of stored failures. When this number is reached, all are removed.
  private static let failureLimit = 256

  private var loading: Set<String> = []
  private var failed: Set<String> = []

  /// True if the thumbnail must be requested now. In this case, marks it as requested.
  mutating func begin(_ id: String) -> Bool {
    guard loading.count < Self.limit, !failed.contains(id), !loading.contains(id) else {
      return false
    }
    loading.insert(id)
    return true
  }

  /// Notes that the thumbnail has arrived.
  mutating func end(_ id: String) { loading.remove(id) }

  /// Forgets which thumbnails do not exist, because the library has changed or answers again.
  mutating func retry() { failed = [] }

  /// Notes that there is no such thumbnail, so that it is not requested again.
  mutating func fail(_ id: String) {
    loading.remove(id)
    if failed.count >= Self.failureLimit { failed = [] }
    failed.insert(id)
  }
}
