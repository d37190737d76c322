/// The rectangles that must be painted to get from one scene to the next.
public struct Damage: Hashable, Sendable {
  /// The rectangles, in no particular order, without overlaps.
  public let rects: [PixelRect]

  /// True if nothing has changed.
  public var isEmpty: Bool { rects.isEmpty }
  /// The number of pixels to paint.
  public var area: Int { rects.reduce(0) { $0 + $1.area } }

  /// The whole screen.
  public static func everything(_ size: PixelSize) -> Damage {
    Damage(rects: [PixelRect(size)])
  }

  private init(rects: [PixelRect]) { self.rects = rects }

  /// The difference between `old` and `new`. The damage is the whole screen if there is no old scene, or if the size,
  /// the palette or the background differs.
  /// - Parameter changed: returns true for an element that looks different although its values are the same.
  public init(
    from old: Scene?, to new: Scene, changed isChanged: (Element) -> Bool = { _ in false }
  ) {
    guard let old, old.size == new.size, old.palette == new.palette, old.backdrop == new.backdrop
    else {
      self = .everything(new.size)
      return
    }
    var before = [ElementID: (element: Element, order: Int)](
      minimumCapacity: old.elements.count)
    for (order, element) in old.elements.enumerated() { before[element.id] = (element, order) }
    var changed: [PixelRect] = []
    var last = -1
    for element in new.elements {
      let match = before.removeValue(forKey: element.id)
      if let match {
        // If the order of painting differs, the element counts as changed, because other elements can cover it now.
        let isInOrder = match.order > last
        last = max(last, match.order)
        if match.element == element, isInOrder, !isChanged(element) { continue }
        changed.append(match.element.frame)
      }
      changed.append(element.frame)
    }
    changed += before.values.map(\.element.frame)
    let screen = PixelRect(new.size)
    self.init(rects: Self.merged(changed.map { $0.intersection(screen) }))
  }

  /// Joins two rectangles if they overlap, or if the area of their union is at most a quarter larger than the sum of
  /// their areas.
  private static func merged(_ rects: [PixelRect]) -> [PixelRect] {
    var result: [PixelRect] = []
    for rect in rects where !rect.isEmpty {
      var grown = rect
      var isGrowing = true
      while isGrowing {
        isGrowing = false
        for (index, other) in result.enumerated().reversed() {
          let union = grown.union(other)
          guard grown.intersects(other) || union.area * 4 <= (grown.area + other.area) * 5
          else { continue }
          grown = union
          result.remove(at: index)
          isGrowing = true
        }
      }
      result.append(grown)
    }
    return result
  }
}
