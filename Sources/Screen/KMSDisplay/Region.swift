internal import ScreenLayout

/// Parts of a picture, as a few rectangles. The rectangles can overlap. Some pixels are then copied twice, which takes
/// less time than splitting the rectangles.
struct Region: Equatable {
  /// The greatest number of rectangles. If another rectangle is added, all rectangles are replaced by a single
  /// rectangle that contains them. A screen usually changes in one to five areas at once.
  private static let mostRects = 12

  private(set) var rects: [PixelRect] = []

  var isEmpty: Bool { rects.isEmpty }

  init() {}

  init(_ size: PixelSize) { rects = [PixelRect(size)] }

  mutating func add(_ rect: PixelRect) {
    guard !rect.isEmpty, !rects.contains(where: { $0.contains(rect) }) else { return }
    rects.removeAll { rect.contains($0) }
    rects.append(rect)
    if rects.count > Self.mostRects {
      rects = [rects.reduce(rect) { $0.union($1) }]
    }
  }

  mutating func removeAll() { rects = [] }
}
