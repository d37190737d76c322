/// The numbers of the menu pages, in units (see ``Metrics``).
struct MenuMetrics: Sendable {
  /// The distances of the content from the edges of the screen.
  var edges = (left: 144.0, top: 96.0, right: 32.0, bottom: 32.0)
  /// The column of the tabs at the leading edge. Nil if the tabs are a bar at the lower edge.
  var rail: (left: Double, right: Double)? = (20, 116)
  var railBar = (height: 104.0, face: 84.0, inset: 8.0)
  var railIcon = (size: 30.0, y: 33.0)
  /// The text of a tab. Nil if tabs have no texts.
  var railLabel: (size: Double, baseline: Double, widest: Double)? = (20, 71, 92)
  var railRadius = 20.0

  // Header.
  /// The height of the hit areas of the header.
  var headerHeight = 88.0
  var headerKey = (width: 64.0, height: 48.0, icon: 28.0)
  /// The key *back*. `x` and `titleX` are leading edges.
  var back = (x: 144.0, size: 48.0, reach: 20.0)
  var titleX = 208.0
  var titleSize = 26.0
  /// The title and the line below the title. Nil if there is no room for the line.
  var titleLines: (size: Double, title: Double, line: Double)? = (24, -6, 22)

  // Rows.
  var rowHeight = 88.0
  var thumb = 64.0
  var rowOverhang = 12.0
  var rowGap = 20.0
  var rowTitle = 26.0
  var rowBaselines = (title: 39.0, line: 69.0)
  /// The size of the title of a row if the title needs two lines.
  var rowSmallTitle = 24.0
  var hasDurations = true
  /// The width of a key at the end of a row.
  var rowKey = 72.0
  var pager = (width: 72.0, gap: 20.0)
  var pagerLetterDrop = 12.0

  // A page of letters.
  var letters = (columns: 7, rows: 4)
  var letterRadius = 14.0

  // A page of covers.
  var covers = (columns: 3, side: 136.0, pitch: 176.0)

  // The first page of the library.
  var recent = (count: 4, side: 144.0, hasTitles: true)
  var tiles = (columns: 3, y: 284.0, height: 76.0, pitch: 88.0, gap: 16.0, hasIcons: true)
  var tileSize = 24.0

  // The page of a collection: an album, an artist, a genre or a playlist.
  var collection = (side: 176.0, key: 72.0, firstKey: 196.0, secondKey: 280.0, rowsX: 212.0)
  /// True if the keys of a collection are beside its picture, and the rows are below the picture.
  var isCollectionStacked = false
  var collectionThumb = 56.0

  // Large keys.
  var keys = (height: 104.0, gap: 20.0, icon: 32.0, title: 24.0, hasLines: true)
  /// The largest number of lines of large keys on a page. If there are more than three lines, the height of the keys is
  /// reduced.
  var keyRows = 4

  // Adding a phone or a remote control.
  var adding = (
    width: 280.0, height: 352.0, isStacked: false, hasPicture: true, what: 108.0, name: 34.0,
    nameY: 150.0, barY: 288.0, rowHeight: 92.0
  )

  // Search.
  var search = (
    keysWidth: 272.0, keyHeight: 82.0, gap: 8.0, fieldHeight: 64.0, rowHeight: 92.0, thumb: 56.0,
    between: 24.0
  )

  static let regular = MenuMetrics()

  static let wide: MenuMetrics = {
    var m = MenuMetrics()
    // The pane with the content that plays needs this width at the right edge.
    m.edges.right = 32 + Self.pane.width + 48
    m.recent = (5, 132, true)
    return m
  }()

  /// The pane with the content that plays, beside a menu page on a wide screen.
  static let pane = (width: 328.0, cover: 176.0, keysY: 412.0, pitch: 120.0, hit: (112.0, 88.0))

  static let compact: MenuMetrics = {
    var m = MenuMetrics()
    m.edges = (88, 64, 16, 16)
    m.rail = (8, 72)
    m.railIcon = (28, 30)
    m.railLabel = nil
    m.railRadius = 16
    m.headerHeight = 62
    m.headerKey = (56, 40, 26)
    m.back = (102, 40, 12)
    m.titleX = 154
    m.titleSize = 22
    m.titleLines = nil
    m.rowHeight = 80
    m.thumb = 56
    m.rowOverhang = 8
    m.rowGap = 12
    m.rowTitle = 24
    m.rowBaselines = (35, 63)
    m.rowSmallTitle = 20
    m.hasDurations = false
    m.rowKey = 60
    m.pager = (56, 8)
    m.pagerLetterDrop = 0
    m.letters = (6, 4)
    // There is no room for titles below small covers, so rows replace the covers.
    m.covers = (0, 0, 0)
    m.recent = (3, 112, false)
    m.tiles = (3, 184, 56, 61, 8, false)
    m.tileSize = 20
    m.collection = (88, 64, 100, 172, 108)
    m.keys = (72, 12, 26, 20, false)
    m.keyRows = 3
    m.adding = (376, 80, true, false, 20, 24, 52, 64, 80)
    m.search = (202, 54, 6, 48, 62, 0, 12)
    return m
  }()

  static let portrait: MenuMetrics = {
    var m = MenuMetrics()
    m.edges = (32, 88, 32, 112)
    m.rail = nil
    m.railIcon = (30, 28)
    m.railLabel = (20, 68, 108)
    m.headerHeight = 76
    m.back = (120, 48, 20)
    m.titleX = 184
    m.rowHeight = 100
    m.thumb = 68
    m.rowGap = 16
    m.rowBaselines = (45, 75)
    m.hasDurations = false
    m.pager = (64, 12)
    m.letters = (4, 7)
    m.covers = (2, 150, 200)
    m.recent = (2, 200, true)
    m.tiles = (2, 348, 96, 108, 16, true)
    m.isCollectionStacked = true
    m.collection = (176, 72, 16, 104, 196)
    m.keys = (104, 20, 28, 20, false)
    m.adding = (416, 352, true, true, 108, 34, 150, 288, 100)
    m.search = (416, 76, 8, 64, 88, 56, 12)
    return m
  }()
}

extension Scale {
  var menu: MenuMetrics {
    switch arrangement {
    case .regular: .regular
    case .wide: .wide
    case .compact: .compact
    case .portrait: .portrait
    }
  }
}
