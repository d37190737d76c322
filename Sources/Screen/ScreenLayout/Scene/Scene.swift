/// A picture of the screen as a value. It defines what is painted at each position, and which action a tap requests.
public struct Scene: Equatable, Sendable {
  /// The size of the screen.
  public let size: PixelSize
  /// The colour of each ``ColorRole``.
  public let palette: Palette
  /// The background.
  public let backdrop: Background
  /// The elements, in the order of painting.
  public internal(set) var elements: [Element]
  /// The element that gets the focus first. If it is nil, the first hit area gets the focus.
  public internal(set) var firstFocus: ElementID?
  /// How a knob turns the pages of a list. Nil if the scene shows no list with several pages.
  public internal(set) var pageTurns: PageTurns?
  /// The hit areas, in the order in which a knob steps through them.
  public internal(set) var hitAreas: [HitArea]
  /// The progress bar, if it can be dragged. Otherwise nil.
  public internal(set) var scrubber: Scrubber?
  /// The action of a swipe to the left, which changes to the next track; nil if there is none.
  public internal(set) var swipeLeft: ScreenAction?
  /// The action of a swipe to the right, which changes to the previous track; nil if there is none.
  public internal(set) var swipeRight: ScreenAction?

  /// The element with this name.
  public subscript(id: ElementID) -> Element? { elements.first { $0.id == id } }

  /// The hit area at a position, even if it has no action. Nil if there is no hit area.
  public func hitArea(at point: PixelPoint) -> HitArea? {
    hitAreas.first { $0.frame.contains(point) }
  }
}

/// How a knob turns the pages of a list: a step past the last entry shows the next page, and a step before the first
/// entry shows the previous page.
public struct PageTurns: Equatable, Sendable {
  /// The first entry of the page.
  public let first: ElementID
  /// The last entry of the page.
  public let last: ElementID
  /// False at the beginning of the list.
  public let canGoBack: Bool
  /// False at the end of the list.
  public let canGoForward: Bool
  /// The keys on the screen that turn pages. A knob skips these keys, because it turns pages with a step past the first
  /// or last entry.
  static let keys: Set<ElementID> = ["page.back", "page.forward"]

  /// The page to which a step from `focus` leads, and the entry that then has the focus. Nil if the step does not leave
  /// the page.
  public func turn(from focus: ElementID?, _ step: FocusStep)
    -> (direction: MenuPaging.Direction, focus: ElementID)?
  {
    switch step {
    case .next where focus == last && canGoForward: (.forward, first)
    case .previous where focus == first && canGoBack: (.back, last)
    default: nil
    }
  }
}

/// A step of the focus, from a knob or an arrow key.
public enum FocusStep: Hashable, Sendable {
  case next, previous, left, right, up, down
}

extension Scene {
  /// The element that gets the focus after a step from `id`. If `id` is nil or not in the scene, ``firstFocus`` gets
  /// the focus. If ``firstFocus`` is nil too, the first hit area gets the focus. Hit areas without an action are
  /// skipped. Returns nil if no hit area has an action.
  public func focus(from id: ElementID?, _ step: FocusStep) -> ElementID? {
    let isKnob = step == .next || step == .previous
    let areas = hitAreas.filter {
      $0.action != nil && !(isKnob && PageTurns.keys.contains($0.id) && $0.id != id)
    }
    guard let index = areas.firstIndex(where: { $0.id == id }) else {
      return (areas.first { $0.id == firstFocus } ?? areas.first)?.id
    }
    switch step {
    case .next: return areas[min(index + 1, areas.count - 1)].id
    case .previous: return areas[max(index - 1, 0)].id
    case .left, .right, .up, .down: return neighbor(of: areas[index], step, among: areas).id
    }
  }

  /// The nearest hit area in a direction, or `area` itself if there is none. The distance at right angles to the
  /// direction counts twice. An area is ignored if this distance is more than four times the distance in the direction.
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
      return ahead > 0 && abs(aside) <= 4 * ahead ? ahead + 2 * abs(aside) : nil
    }
    return areas.compactMap { other in cost(other).map { (other, $0) } }
      .min { $0.1 < $1.1 }?.0 ?? area
  }
}
