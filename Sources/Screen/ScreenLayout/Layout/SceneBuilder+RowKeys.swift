// Keys in the rows of a list.
extension SceneBuilder {
  /// Adds the key at the end of a row. Its hit area reaches to the end of the row. Returns where the area
  /// begins.
  mutating func rowKey(
    _ row: MenuRow, _ id: String, _ key: MenuRow.Key, _ face: PixelRect, _ frame: PixelRect,
    reach: Int
  ) -> Int {
    let keyID = ElementID("\(id).key")
    shape(keyID, face, Shape(radius: u(16), fill: Paint(.fill)))
    icon(
      ElementID("\(id).key.icon"), Self.symbol(of: key), centerX: face.midX, centerY: face.midY,
      size: u(28), Paint(.text))
    let left = face.x - u(8)
    hit(
      keyID,
      PixelRect(
        x: left, y: frame.y, width: frame.maxX + reach - left,
        height: frame.height), face: face, radius: u(16), .menu(.rowKey(row.id, key)))
    return left
  }

  /// Adds what can be done with a row, in the place of its title: two keys with a text, and one that shows
  /// the title again.
  mutating func edited(_ row: MenuRow, _ id: String, _ frame: PixelRect, x: Int, end: Int) {
    let gap = u(8)
    let close = u(menu.metrics.rowKey)
    let width = (end - x - close - 2 * gap) / 2
    let keys: [(MenuRow.Key, String?, Int, Int)] = [
      (.playNext, words.menu.playNext, x, width),
      (.remove, words.menu.remove, x + width + gap, width),
      (.close, nil, end - close, close),
    ]
    for (key, label, left, width) in keys {
      let face = PixelRect(x: left, y: frame.midY - u(36), width: width, height: u(72))
      // If there is no room for icon and text, the icon is enough.
      let text = style(metrics.buttonSize, .semibold)
      let room = width - u(metrics.buttonIcon) - 3 * u(metrics.pillGap)
      let shown = label.flatMap { self.width($0, text) <= room ? $0 : nil }
      self.key(
        ElementID("\(id).\(key.rawValue)"), face, shown, Self.symbol(of: key), isPrimary: false,
        isActive: true,
        radius: u(16), reach: (gap / 2, (frame.height - face.height) / 2),
        .menu(.rowKey(row.id, key)))
    }
    firstFocus = ElementID("\(id).playNext")
  }

  private static func symbol(of key: MenuRow.Key) -> Symbol {
    switch key {
    case .info: .info
    case .edit: .more
    case .playNext: .playNext
    case .remove: .bin
    case .close: .cross
    }
  }
}
