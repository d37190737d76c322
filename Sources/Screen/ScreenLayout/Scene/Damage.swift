/// What must be painted again to come from one scene to the next.
public struct Damage: Hashable, Sendable {
  /// In no particular order; none overlaps another.
  public let rects: [PixelRect]

  /// Nothing has changed.
  public var isEmpty: Bool { rects.isEmpty }
  /// Pixels to paint.
  public var area: Int { rects.reduce(0) { $0 + $1.area } }

  /// All of a screen.
  public static func everything(_ size: PixelSize) -> Damage {
    Damage(rects: [PixelRect(size)])
  }

  private init(rects: [PixelRect]) { self.rects = rects }

  /// From `old` to `new`; everything where there is no old scene, or the ground is another.
  public init(from old: Scene?, to new: Scene) {
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
        // The same things, but what was under is over.
        let isInOrder = match.order > last
        last = max(last, match.order)
        if match.element == element, isInOrder { continue }
        changed.append(match.element.frame)
      }
      changed.append(element.frame)
    }
    changed += before.values.map(\.element.frame)
    let screen = PixelRect(new.size)
    self.init(rects: Self.merged(changed.map { $0.intersection(screen) }))
  }

  /// Without overlaps, and without many small ones where one is hardly larger.
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
