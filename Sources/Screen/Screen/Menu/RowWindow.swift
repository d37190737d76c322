internal import ScreenLayout

/// The number of rows of a list that can be reached while the car is not known to be parked.
package struct RowLimit: Hashable, Sendable {
  var rows: Int
  /// False if it is unknown whether the car is parked.
  var isParkedKnown: Bool
}

/// Selects which rows of a list a page shows. The methods need all rows of the list.
package struct RowWindow: Equatable, Sendable {
  /// The index of the first row that is shown.
  private var first = 0

  mutating func turn(_ direction: MenuPaging.Direction, _ capacity: MenuCapacity) {
    first = max(0, first + (direction == .back ? -capacity.rows : capacity.rows))
  }

  /// The content of the page that shows a part of `rows`. If the list is now shorter, the content is its last part.
  func content(_ rows: [MenuRow], _ capacity: MenuCapacity) -> MenuPage.Content {
    let (rows, paging) = part(rows, capacity)
    return .rows(rows, paging)
  }

  /// The content of a page with large keys. If the page has no room for all keys, the keys become rows.
  func keys(_ keys: [MenuKey], _ capacity: MenuCapacity) -> MenuPage.Content {
    guard keys.count > capacity.keys else { return .keys(keys) }
    let rows = keys.map { key in
      var row = MenuRow(
        id: key.id, .picture(MenuPicture(key.isPrimary ? .check : key.symbol)), key.title,
        line: key.line.isEmpty ? nil : key.line)
      row.opensPage = key.opensPage
      if !key.isActive { row.condition = .inert }
      return row
    }
    return content(rows, capacity)
  }

  /// The rows that are shown, and the keys that turn pages. The keys are nil if all rows fit.
  func part(_ rows: [MenuRow], _ capacity: MenuCapacity) -> ([MenuRow], MenuPaging?) {
    guard rows.count > capacity.rows else { return (rows, nil) }
    let start = min(first, (rows.count - 1) / capacity.rows * capacity.rows)
    return (
      Array(rows[start...].prefix(capacity.rows)),
      MenuPaging(canGoBack: start > 0, canGoForward: start + capacity.rows < rows.count)
    )
  }

  /// The rows that can be reached. If there are more rows, the last row says so. If `limit` is nil, all rows can be
  /// reached.
  static func limited(_ rows: [MenuRow], to limit: RowLimit?, _ words: LocalizedWords)
    -> [MenuRow]
  {
    guard let limit, rows.count > limit.rows else { return rows }
    return rows.prefix(limit.rows) + [moreWhenParked(words, isKnown: limit.isParkedKnown)]
  }

  /// The last row of a list that is shortened while driving.
  ///
  /// - Parameter isKnown: false if it is unknown whether the car is parked. Then the row names the setting
  ///   `parking-line`, with which the unit can find out.
  static func moreWhenParked(_ words: LocalizedWords, isKnown: Bool) -> MenuRow {
    var row = MenuRow(
      id: "limit", .picture(MenuPicture(.info)), words.listLimited,
      line: isKnown ? nil : words.parkingUnknown)
    row.condition = .inert
    return row
  }
}
