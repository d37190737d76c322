import ScreenLayout
import Text

/// Converts a scene to the cells of a terminal. No I/O. The arrangement of the scene is kept: each cell shows a part of
/// the panel.
struct TerminalPicture {
  private let scene: Scene
  private let cellWidth: Double
  private let cellHeight: Double
  private(set) var grid: CellGrid

  /// - Parameter pixel: returns the colour of a pixel of the painted scene. Nil to leave out pictures.
  init(
    _ scene: Scene, columns: Int, rows: Int, pixel: ((_ x: Int, _ y: Int) -> UInt32)? = nil
  ) {
    self.scene = scene
    grid = CellGrid(columns: columns, rows: rows)
    cellWidth = Double(scene.size.width) / Double(max(1, columns))
    cellHeight = Double(scene.size.height) / Double(max(1, rows))
    for element in scene.elements {
      switch element.content {
      case .text(let run): add(run, element.frame)
      case .icon(let icon): add(icon, element.frame)
      case .shape(let shape): add(shape, element.frame)
      case .image: if let pixel { addImage(element.frame, pixel) }
      // The cells of a terminal are too large: a camera could not read the QR code.
      case .code: break
      }
    }
    // The ring of the focus surrounds a control. All cells inside the ring are marked, after everything else is drawn.
    if let focus = scene["focus"]?.frame { mark(focus) }
  }

  private func column(_ x: Int) -> Int { Int((Double(x) / cellWidth).rounded()) }
  private func row(_ y: Int) -> Int { Int(Double(y) / cellHeight) }

  private mutating func add(_ run: TextRun, _ frame: PixelRect) {
    let room = max(1, Int(Double(run.layoutWidth) / cellWidth))
    let text = TextWidth.sanitized(run.text, limit: 400)
    var lines =
      run.lines > 1 ? TextWrap.lines(text, columns: room) : [text]
    if lines.count > run.lines {
      lines =
        Array(lines.prefix(run.lines - 1)) + [lines[(run.lines - 1)...].joined(separator: " ")]
    }
    let center = run.baseline - run.style.capHeight / 2
    for (number, line) in lines.enumerated() {
      let line = TextWidth.truncated(line, to: room)
      let width = TextWidth.columns(of: line)
      let left =
        switch run.alignment {
        case .left: column(frame.x + run.overhang)
        case .center: column(frame.midX) - width / 2
        case .right: column(frame.x + frame.width - run.overhang) - width
        }
      // Each line of a text gets its own row.
      grid.write(
        line, column: max(0, left), row: row(center) + max(number, row(number * run.pitch)),
        Self.style(run.paint, isBold: run.style.weight == .bold || run.style.size >= 28))
    }
  }

  private static func style(_ paint: Paint, isBold: Bool) -> CellGrid.Style {
    var style: CellGrid.Style = isBold ? .bold : []
    switch paint.role {
    case .secondaryText, .track, .line: style.insert(.faint)
    case .accent, .onAccent: style.insert(.accent)
    default: break
    }
    if paint.opacity < 0.6 { style.insert(.faint) }
    return style
  }

  private mutating func add(_ icon: Icon, _ frame: PixelRect) {
    let text =
      switch icon.picture {
      case .symbol(let symbol): Self.characters[symbol] ?? ""
      case .source: "•"
      }
    grid.write(
      text, column: column(frame.midX) - TextWidth.columns(of: text) / 2, row: row(frame.midY),
      Self.style(icon.paint, isBold: false))
  }

  /// Draws bars and lines, which are shapes with a small height. Other shapes, such as backgrounds of controls, are
  /// left out, because a terminal has no room for their edges.
  private mutating func add(_ shape: Shape, _ frame: PixelRect) {
    guard Double(frame.height) < cellHeight, frame.width > 3 * frame.height, let fill = shape.fill
    else { return }
    let cells = max(0, column(frame.x + frame.width) - column(frame.x))
    let isBar = fill.role == .accent || fill.role == .onCoverTrack
    grid.write(
      String(repeating: isBar ? "━" : "─", count: cells), column: column(frame.x),
      row: row(frame.midY), Self.style(fill, isBold: false))
  }

  private mutating func addImage(_ frame: PixelRect, _ pixel: (_ x: Int, _ y: Int) -> UInt32) {
    for row in row(frame.y)..<max(row(frame.y), Int((Double(frame.maxY) / cellHeight).rounded())) {
      for column in column(frame.x)..<column(frame.maxX) {
        let x = Int((Double(column) + 0.5) * cellWidth)
        let y = Double(row) * cellHeight
        func color(_ part: Double) -> UInt32 {
          pixel(
            min(max(x, frame.x), frame.maxX - 1),
            min(max(Int(y + part * cellHeight), frame.y), frame.maxY - 1))
        }
        grid.paint(
          CellGrid.Pixels(upper: color(0.25), lower: color(0.75)), column: column, row: row)
      }
    }
  }

  private mutating func mark(_ frame: PixelRect) {
    let first = row(frame.y + Int(cellHeight / 2))
    let last = max(first, row(frame.maxY - Int(cellHeight / 2)))
    grid.add(
      .reverse, columns: column(frame.x)..<max(column(frame.x) + 1, column(frame.maxX)),
      rows: first..<last + 1)
  }

  /// The characters for the symbols. Nearly all fonts of terminals contain these characters.
  private static let characters: [Symbol: String] = [
    .play: "▶", .pause: "❚❚", .stop: "■", .next: "▶▶", .previous: "◀◀", .skipForward: "▶▶",
    .skipBackward: "◀◀", .buffering: "…", .seekForward: "»", .seekBackward: "«", .shuffle: "⇄",
    .shuffleCollections: "⇄", .repeatAll: "↻",
    .repeatOne: "↻1", .add: "+", .added: "✓", .more: "…", .heart: "♡", .heartFilled: "♥",
    .queue: "≡", .note: "♪", .volume: "♪", .mute: "×", .warning: "!", .info: "i", .bars: "▶",
    .chevronForward: "›", .chevronUp: "↑", .chevronDown: "↓", .check: "✓", .cross: "×",
    .back: "‹", .menu: "☰", .search: "/", .plus: "+", .erase: "⌫", .stickAbsent: "○",
    .stick: "●", .playlist: "≡", .folder: "/",
  ]
}
