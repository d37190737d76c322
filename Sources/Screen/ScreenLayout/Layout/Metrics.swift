/// All numbers of the design, in units. At 800 × 480 (compact: 480 × 320, portrait: 480 × 800), a unit is a pixel.
/// docs/screen.md describes the arrangements.
struct Metrics: Sendable {
  /// The arrangement of the parts.
  enum Arrangement: String, Hashable, Sendable {
    /// The cover beside the column of texts and controls.
    case regular
    /// Like `regular`, with the next tracks on the other side of the column.
    case wide
    /// A small cover. The progress bar and the transport use the full width.
    case compact
    /// The cover above the column.
    case portrait
  }

  /// The size of the screen for which the numbers are made.
  var base = (width: 800.0, height: 480.0)
  /// The width of the narrowest hit area of the regular arrangement. If this width is less than 9 mm on the panel, the
  /// compact arrangement is used.
  static let leastRegularHit = 66.0

  // Header.
  var margin = 32.0
  var headerHeight = 88.0
  var headerCenter = 48.0
  var clockSize = 28.0
  var clockGap = 24.0
  var statusSize = 20.0
  var statusIcon = 24.0
  var statusIconGap = 8.0
  var statusWidest = 210.0
  var statusGap = 20.0
  var hairline = 20.0
  var pillHeight = 48.0
  var pillWidest = 440.0
  var pillIcon = 28.0
  var pillPadding = 20.0
  var pillGap = 12.0
  var pillTitleWidest = 180.0
  var noticeSize = 22.0
  /// The height of the pill of a notice with two lines.
  var longNoticeHeight = 72.0
  /// The width of the Up Next button without its title. Nil if the title is shown.
  var queueIconWidth: Double?

  /// The diameter of the dot that shows the position of a mouse.
  var pointer = 22.0

  // Cover and column.
  var cover = (x: 32.0, y: 96.0, side: 352.0)
  var coverRadius = 12.0
  var shadow = (blur: 22.0, offset: 8.0)
  var columnX = 424.0
  var columnWidest = 560.0
  var titleSize = 34.0
  var titlePitch = 41.0
  var artistSize = 24.0
  var albumSize = 22.0
  /// The distance from the last baseline of the title to the baseline of the artist.
  var artistPitch = 40.0
  /// The distance from the baseline of the artist to the baseline of the album.
  var albumPitch = 31.0
  /// The distances `titlePitch`, `artistPitch` and `albumPitch` if the title has two lines and the album is shown.
  /// These distances are smaller, so that the title stays below the header.
  var tight = (title: 40.0, artist: 36.0, album: 29.0)
  /// The distance from the lowest baseline to the upper edge of the progress bar.
  var textToBar = 24.0
  var chevron = (size: 22.0, gap: 4.0)
  var textHit = 76.0

  // Bar.
  var barY = 246.0
  var barHeight = 6.0
  var barPressedHeight = 12.0
  var knob = 24.0
  var timesSize = 20.0
  /// The distance from the upper edge of the progress bar to the baseline of the times. Nil if the times stand beside
  /// the progress bar.
  var timesBelow: Double? = 38.0
  var timesGap = 14.0
  var scrub = (above: 18.0, below: 56.0)
  var livePill = (height: 32.0, padding: 18.0, dot: 10.0, gap: 8.0)

  // Transport and custom buttons.
  var transportY = 348.0
  var disc = 88.0
  var discIcon = 40.0
  var transportIcon = 48.0
  var transportHit = 88.0
  var transportReach = 136.0
  var customY: Double? = 432.0
  var customIcon = 32.0
  var customHit = (width: 112.0, height: 80.0)
  var customWidestPitch = 112.0
  var rateSize = 25.0
  var selectedDot = (size: 6.0, below: 10.0)
  /// The values with the prefix `alone` are used if there are no custom buttons. The progress bar and the transport
  /// then have more room.
  var aloneBarY = 276.0
  var aloneTransportY = 396.0
  var aloneDisc = 104.0
  var aloneDiscIcon = 46.0
  var aloneTransportIcon = 56.0

  // Lists.
  var listY = 96.0
  var rowHeight = 88.0
  var thumb = 64.0
  var thumbRadius = 8.0
  var rowGap = 20.0
  var rowTitleSize = 26.0
  var rowSubtitleSize = 20.0
  var rowBaselines = (title: 39.0, subtitle: 69.0, alone: 53.0)
  var rowOverhang = 12.0
  /// The next tracks, beside the column of a wide screen.
  var pane = (gap: 56.0, column: 440.0, leastExtra: 360.0, titleSize: 24.0, rowGap: 16.0)

  // Buttons, empty page, pairing.
  var buttonSize = 24.0
  var buttonIcon = 28.0
  var empty = (
    title: 144.0, detail: 196.0, detailPitch: 34.0, button: 272.0, buttonHeight: 80.0,
    aloneDrop: 92.0
  )
  var pairing = (
    title: 152.0, titleSize: 34.0, detail: 194.0, detailSize: 24.0, code: 306.0, codeSize: 88.0,
    codeGap: 40.0, button: 360.0, buttonHeight: 88.0
  )
  var pairingButton = (widest: 280.0, gap: 32.0)

  /// The smallest height of a capital letter. From a distance of 700 mm, this height appears as 12 minutes of arc. Text
  /// of this height can be read at a glance (ISO 15008 as commonly quoted).
  static let leastCapHeightMillimetres = 2.44
  static let textScales = 0.85...1.3
  /// Texts of this size or larger use the narrower variant of the font for large sizes.
  static let displayFrom = 28.0

  static let regular = Metrics()

  static let compact: Metrics = {
    var m = Metrics()
    m.base = (480, 320)
    m.margin = 16
    m.headerHeight = 64
    m.headerCenter = 32
    m.clockSize = 24
    m.clockGap = 16
    m.statusIcon = 22
    m.pillHeight = 40
    m.pillPadding = 14
    m.pillGap = 10
    m.noticeSize = 20
    m.longNoticeHeight = 60
    m.queueIconWidth = 40
    m.cover = (16, 64, 96)
    m.coverRadius = 8
    m.shadow = (14, 5)
    m.columnX = 128
    m.columnWidest = .infinity
    m.titleSize = 26
    m.titlePitch = 30
    m.artistSize = 20
    m.artistPitch = 30
    m.barY = 188
    m.timesBelow = nil
    m.scrub = (28, 31)
    m.livePill.height = 28
    m.transportY = 256
    m.disc = 72
    m.discIcon = 34
    m.transportIcon = 42
    m.transportHit = 72
    m.transportReach = 92
    m.customY = nil
    m.customIcon = 28
    m.customHit = (96, 72)
    m.listY = 64
    m.rowHeight = 80
    m.thumb = 56
    m.rowGap = 16
    m.rowTitleSize = 24
    m.rowBaselines = (35, 63, 48)
    m.rowOverhang = 8
    m.empty = (102, 134, 26, 200, 88, 0)
    m.pairing = (92, 26, 122, 20, 194, 64, 28, 222, 84)
    m.pairingButton = (280, 16)
    return m
  }()

  static let portrait: Metrics = {
    var m = Metrics()
    m.base = (480, 800)
    m.headerHeight = 76
    m.headerCenter = 38
    m.clockSize = 26
    m.queueIconWidth = 64
    m.cover = (76, 80, 328)
    m.columnX = 76
    m.columnWidest = 328
    m.barY = 582
    m.aloneBarY = 606
    m.scrub = (22, 48)
    m.transportY = 680
    m.aloneTransportY = 720
    m.transportReach = 112
    m.customY = 760
    m.customHit.height = 72
    m.textHit = 74
    m.listY = 80
    m.empty = (476, 520, 34, 592, 80, 0)
    m.pairing = (272, 30, 314, 22, 446, 80, 28, 560, 96)
    return m
  }()
}

/// The metrics for one panel. Converts units to pixels.
struct Scale: Sendable {
  let metrics: Metrics
  let arrangement: Metrics.Arrangement
  /// The number of pixels of one unit.
  let unit: Double
  /// The size of letters on this panel, divided by their designed size.
  let text: Double

  init(panel: Panel, textScale: Double?) {
    let width = Double(panel.size.width)
    let height = Double(panel.size.height)
    func fitting(_ metrics: Metrics) -> Double {
      min(width / metrics.base.width, height / metrics.base.height)
    }
    let regular = fitting(.regular)
    let isSmall =
      height < 400 || Metrics.leastRegularHit * regular < Double(panel.leastTouchPixels)
    if height > width {
      (metrics, arrangement, unit) = (.portrait, .portrait, fitting(.portrait))
    } else if isSmall {
      (metrics, arrangement, unit) = (.compact, .compact, fitting(.compact))
    } else {
      let isWide =
        width - Metrics.regular.base.width * regular
        >= Metrics.regular.pane.leastExtra * regular
      (metrics, arrangement, unit) = (.regular, isWide ? .wide : .regular, regular)
    }
    let readable =
      Metrics.leastCapHeightMillimetres * panel.pixelsPerMillimetre
      / (0.727 * metrics.statusSize * unit)
    let wanted = textScale ?? max(1, readable)
    text = min(max(wanted, Metrics.textScales.lowerBound), Metrics.textScales.upperBound)
  }

  /// Converts units to whole pixels.
  func callAsFunction(_ units: Double) -> Int { Int((units * unit).rounded()) }
  /// Converts units to whole pixels, for sizes that grow with the letters.
  func text(_ units: Double) -> Int { Int((units * unit * text).rounded()) }
}
