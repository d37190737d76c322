internal import ScreenLayout

/// Which rows of a list a page shows, if the whole list is known.
package struct RowWindow: Equatable, Sendable {
  /// The number of the first row that is shown.
  private var first = 0

  mutating func turn(_ direction: BrowsePaging.Direction, _ capacity: BrowseCapacity) {
    first = max(0, first + (direction == .back ? -capacity.rows : capacity.rows))
  }

  /// The page of these rows. The list may have become shorter.
  func content(_ rows: [BrowseRow], _ capacity: BrowseCapacity) -> BrowsePage.Content {
    guard rows.count > capacity.rows else { return .rows(rows, nil) }
    let start = min(first, (rows.count - 1) / capacity.rows * capacity.rows)
    return .rows(
      Array(rows[start...].prefix(capacity.rows)),
      BrowsePaging(canGoBack: start > 0, canGoForward: start + capacity.rows < rows.count))
  }
}
