/// Tracks which thumbnails are being loaded, and which thumbnails could not be loaded.
struct ThumbnailRequests {
  /// The greatest number of thumbnails that are loaded at the same time. It is small: when the user leaves a page, its
  /// thumbnails delay the thumbnails of the next page only briefly.
  private static let limit = 3
  /// The greatest number of stored failures. When this number is reached, all failures are removed.
  private static let failureLimit = 256

  private var loading: Set<String> = []
  private var failed: Set<String> = []

  /// True if the thumbnail must be requested now. In this case, marks the thumbnail as requested.
  mutating func begin(_ id: String) -> Bool {
    guard loading.count < Self.limit, !failed.contains(id), !loading.contains(id) else {
      return false
    }
    loading.insert(id)
    return true
  }

  /// Records that the thumbnail has arrived.
  mutating func end(_ id: String) { loading.remove(id) }

  /// Forgets all failures, because the library has changed or answers again.
  mutating func retry() { failed = [] }

  /// Records that the thumbnail could not be loaded, so that it is not requested again.
  mutating func fail(_ id: String) {
    loading.remove(id)
    if failed.count >= Self.failureLimit { failed = [] }
    failed.insert(id)
  }
}
