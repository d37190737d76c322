/// A picture of the screen as a value: what is painted where, and what a tap at a place asks for.
public struct Scene: Equatable, Sendable {
  /// Of the screen.
  public let size: PixelSize
  /// What roles look like.
  public let palette: Palette
  /// Under everything.
  public let backdrop: Background
  /// From the lowest to the topmost.
  public internal(set) var elements: [Element]
  /// In the order in which a knob walks through them.
  public internal(set) var hitAreas: [HitArea]
  /// The bar, where it can be dragged.
  public internal(set) var scrubber: Scrubber?
  /// What a swipe to the left asks for: the next track; nil for nothing.
  public internal(set) var swipeLeft: ScreenAction?
  /// What a swipe to the right asks for.
  public internal(set) var swipeRight: ScreenAction?

  /// The element of a name.
  public subscript(id: ElementID) -> Element? { elements.first { $0.id == id } }

  /// The area at a place, inert or not; nil where there is none.
  public func hitArea(at point: PixelPoint) -> HitArea? {
    hitAreas.first { $0.frame.contains(point) }
  }
}

/// A step with a knob or the arrow keys.
public enum FocusStep: Hashable, Sendable {
  case next, previous, left, right, up, down
}

extension Scene {
  /// Where the focus goes from `id`; from nowhere, or from what has gone, to the play button or the
  /// first area. Inert areas are passed over. Nil where nothing can be focused.
  public func focus(from id: ElementID?, _ step: FocusStep) -> ElementID? {
    let areas = hitAreas.filter { $0.action != nil }
    guard let place = areas.firstIndex(where: { $0.id == id }) else {
      return (areas.first { $0.id == "transport.central" } ?? areas.first)?.id
    }
    switch step {
    case .next: return areas[min(place + 1, areas.count - 1)].id
    case .previous: return areas[max(place - 1, 0)].id
    case .left, .right, .up, .down: return neighbor(of: areas[place], step, among: areas).id
    }
  }

  /// The nearest area in a direction; what lies straight ahead counts as nearer.
  private func neighbor(of area: HitArea, _ step: FocusStep, among areas: [HitArea]) -> HitArea {
    func cost(_ other: HitArea) -> Int? {
      let dx = other.face.midX - area.face.midX
      let dy = other.face.midY - area.face.midY
      let (ahead, aside) =
        switch step {
        case .left: (-dx, dy)
        case .right: (dx, dy)
        case .up: (-dy, dx)
        default: (dy, dx)
        }
      return ahead > 0 ? ahead + 2 * abs(aside) : nil
    }
    return areas.compactMap { other in cost(other).map { (other, $0) } }
      .min { $0.1 < $1.1 }?.0 ?? area
  }
}
