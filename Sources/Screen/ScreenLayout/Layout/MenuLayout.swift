/// The positions of the parts of a menu page, in pixels, for languages that are written from left to right. For other
/// languages, the finished scene is mirrored.
struct MenuLayout {
  let scale: Scale
  let metrics: MenuMetrics
  let screen: PixelRect
  /// The area for rows, covers and letters. It includes the column of keys that turn pages.
  private(set) var content: PixelRect

  init(_ scale: Scale, screen: PixelRect) {
    self.scale = scale
    self.screen = screen
    metrics = scale.menu
    let edges = metrics.edges
    let (left, top) = (scale(edges.left), scale(edges.top))
    content = PixelRect(
      x: left, y: top, width: max(0, screen.width - scale(edges.right) - left),
      height: max(0, screen.height - scale(edges.bottom) - top))
  }

  /// Creates the layout of a list of Now Playing, which has no tabs beside it.
  init(listOn scale: Scale, screen: PixelRect) {
    self.init(scale, screen: screen)
    let margin = scale(scale.metrics.margin)
    content = PixelRect(
      x: margin, y: content.y, width: screen.width - 2 * margin,
      height: max(0, screen.height - scale(min(metrics.edges.bottom, 32)) - content.y))
  }

  /// The width of the rows if the list has a column of keys that turn pages.
  var pagedWidth: Int { content.width - scale(metrics.pager.width + metrics.pager.gap) }

  /// The left edge of the hit areas of the keys that turn pages.
  var pagerAreaX: Int {
    content.maxX - scale(metrics.pager.width) - scale(metrics.pager.gap / 2)
  }

  /// The distance from the rows of a list to the hit areas of the keys that turn pages.
  var pagedReach: Int { pagerAreaX - content.x - pagedWidth }

  /// The number of rows of a list that a page can show.
  var rows: Int { fitting(metrics.rowHeight, in: content.height) }

  /// The number of rows on the page of a collection: an album, an artist, a genre or a playlist (``MenuCollection``).
  var collectionRows: Int {
    metrics.isCollectionStacked
      ? fitting(metrics.rowHeight, in: content.height - stackedRowsY) : rows
  }

  /// The distance from the top of the content to the rows on the page of a collection, if the rows are below the
  /// picture.
  var stackedRowsY: Int { scale(metrics.collection.side + 28) }

  /// The number of rows of covers on the page of a list of albums. 0 if albums are shown as rows of text.
  var coverRows: Int {
    metrics.covers.columns == 0 ? 0 : fitting(metrics.covers.pitch, in: content.height + scale(8))
  }

  /// The number of results that the page of the search can show.
  var searchRows: Int {
    let used = scale(metrics.search.fieldHeight + 8)
    let keys = scale(4 * (metrics.search.keyHeight + metrics.search.gap))
    let isStacked = scale.arrangement == .portrait
    return fitting(
      metrics.search.rowHeight, in: content.height - used - (isStacked ? keys : 0))
  }

  private func fitting(_ units: Double, in height: Int) -> Int {
    // Rounding can make each row up to half a pixel taller. To compensate, three units are added to the height of the
    // content.
    max(1, (height + scale(3)) / max(1, scale(units)))
  }
}

/// The numbers of rows, covers and keys that a page can show.
public struct MenuCapacity: Hashable, Sendable {
  /// The number of rows of a list on a page of the menu.
  public private(set) var rows: Int
  /// The number of rows of a list of Now Playing.
  public let listRows: Int
  /// The number of rows beside or below the picture on the page of a collection (``MenuCollection``).
  public let collectionRows: Int
  /// The number of covers on a page of albums. 0 if albums are shown as rows of text.
  public let covers: Int
  /// The number of covers on the first page of the library.
  public let recent: Int
  /// The number of headings on a page of letters.
  public let letters: Int
  /// The number of results on the page of the search.
  public let results: Int
  /// The side of the largest cover on a page, in pixels.
  public let cover: Int
  /// The number of large keys on a page that consists of large keys, such as the actions for a phone.
  public let keys: Int
  /// The height for the controls of a form (``MenuForm``), in units of ``Metrics``.
  let formHeight: Double
  /// True if two small controls of a form stand side by side.
  let formHasPairs: Bool

  /// The capacity for lists of Now Playing: ``rows`` has the value of ``listRows``.
  public var forLists: MenuCapacity {
    var capacity = self
    capacity.rows = listRows
    return capacity
  }

  /// Computes the capacity of a panel.
  public init(_ panel: Panel, textScale: Double? = nil) {
    let scale = Scale(panel: panel, textScale: textScale)
    let layout = MenuLayout(scale, screen: PixelRect(panel.size))
    rows = layout.rows
    listRows = MenuLayout(listOn: scale, screen: PixelRect(panel.size)).rows
    collectionRows = layout.collectionRows
    covers = layout.coverRows * layout.metrics.covers.columns
    recent = layout.metrics.recent.count
    letters = layout.metrics.letters.columns * layout.metrics.letters.rows
    results = layout.searchRows
    cover = scale(layout.metrics.collection.side)
    keys = layout.metrics.keyRows * 2
    formHeight = Double(layout.content.height) / scale.unit
    formHasPairs = [.regular, .wide].contains(scale.arrangement)
  }
}
