import EventLoop
import Glibc
import ScreenDisplay
import ScreenLayout
import Text

/// A display on a terminal, for machines without a desktop. It shows the same pages as the panel. Keys move the focus
/// like a knob, or act like a touch on a control.
final class TerminalDisplay: Display {
  /// The maximum size of the picture. A larger terminal has empty edges. Otherwise texts that belong together would be
  /// too far apart.
  private static let largest = (columns: 110, rows: 33)

  let size = PixelSize(width: 800, height: 480)
  /// Nil, because a terminal has no pixels.
  var millimetres: (width: Double, height: Double)? { nil }
  private(set) var isReady = false

  var onReady: (() -> Void)?
  var onResize: (() -> Void)?
  var onLost: (() -> Void)?
  var onShown: (() -> Void)?
  var onPointer: ((PointerEvent) -> Void)?
  var onFocus: ((FocusEvent) -> Void)?
  var onLog: ScreenEvent.Log?
  /// Called when the user ends the program, or when the terminal was closed.
  var onClose: (() -> Void)?
  /// Returns the scene that the display shows.
  var scene: (() -> Scene?)?

  private let loop: EventLoop
  private let hasColor = TerminalEnvironment.allowsColor
  private let hasPictures: Bool
  private var input: DescriptorSource?
  private var resized: SignalSource?
  private var settings: termios?
  private var pixels: [UInt32] = []
  private var drawn: [String] = []
  private var drawnSize = (columns: 0, rows: 0)
  /// The control that is touched as soon as the scene contains it. Nil if no touch is waiting.
  private var wanted: ElementID?
  private var showsKeys = false

  init(_ loop: EventLoop) throws(SystemError) {
    self.loop = loop
    let depth = getenv("COLORTERM").map { String(cString: $0) } ?? ""
    hasPictures = depth == "truecolor" || depth == "24bit"
    SignalSource.block([SIGWINCH])
    input = try DescriptorSource(loop, descriptor: STDIN_FILENO) { [weak self] _ in self?.read() }
    resized = try SignalSource(loop, signal: SIGWINCH) { [weak self] in self?.redraw() }
  }

  func start() {
    var mode = termios()
    if tcgetattr(STDIN_FILENO, &mode) == 0 {
      settings = mode
      // Ctrl-C is read as a key. As a signal, it would also reach the programs that have started this program.
      mode.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
      mode.c_iflag &= ~tcflag_t(IXON)
      tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    }
    // Switches to the alternate screen of the terminal, hides the cursor and clears the screen.
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
    loop.defer { [weak self] in
      self?.isReady = true
      self?.onReady?()
    }
  }

  /// Restores the terminal.
  func stop() {
    guard var settings else { return }
    self.settings = nil
    write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
  }

  // MARK: Pictures

  func present(_ picture: Picture, damage: [PixelRect]) {
    if hasPictures { copy(picture) }
    draw()
    loop.defer { [weak self] in
      self?.onShown?()
      self?.touchWanted()
    }
  }

  private func copy(_ picture: Picture) {
    let bytes = UnsafeRawBufferPointer(picture.bytes)
    if pixels.isEmpty { pixels = Array(repeating: 0, count: size.width * size.height) }
    for y in 0..<size.height {
      for x in 0..<size.width {
        pixels[y * size.width + x] = bytes.loadUnaligned(
          fromByteOffset: y * picture.stride + 4 * x, as: UInt32.self)
      }
    }
  }

  private func draw() {
    guard let scene = scene?() else { return }
    let terminal = terminalSize()
    let columns = min(terminal.columns - 1, Self.largest.columns)
    let rows = min(terminal.rows - 1, Self.largest.rows)
    guard columns > 0, rows > 0 else { return }
    let picture = TerminalPicture(
      scene, columns: columns, rows: rows,
      pixel: hasPictures ? { [pixels, size] x, y in pixels[y * size.width + x] } : nil)
    var lines = showsKeys ? Self.keys(rows) : picture.grid.lines(hasColor: hasColor)
    let help =
      showsKeys ? " ? or any key closes this list" : isSearching ? Self.searchHelp : Self.help
    lines.append("\u{1B}[2m\(TextWidth.truncated(help, to: columns))\u{1B}[0m")
    var output = ""
    if drawnSize != terminal { output = "\u{1B}[2J" }
    for (row, line) in lines.enumerated()
    where drawnSize != terminal || row >= drawn.count || drawn[row] != line {
      output += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
    }
    (drawn, drawnSize) = (lines, terminal)
    if !output.isEmpty { write(output) }
  }

  private static let help =
    " ←↑↓→ Enter Esc  l library  / search  space pause  n next  ? keys  q quit"

  /// The list of keys, filled with blank lines up to `rows` lines.
  private static func keys(_ rows: Int) -> [String] {
    let list = [
      "", "  Keys", "", "  ← ↑ ↓ →    move the mark, as a knob does", "  Enter      choose",
      "  Esc        back", "  space      pause, continue",
      "  n p        next track, previous track",
      "  l          library", "  /          search", "  q Ctrl-C   quit",
    ]
    return Array((list + Array(repeating: "", count: max(0, rows - list.count))).prefix(rows))
  }

  private static let searchHelp =
    " letters search  Backspace erase  ↓ Enter choose  Esc back  Ctrl-C quit"

  private func redraw() {
    drawnSize = (0, 0)
    draw()
  }

  private func terminalSize() -> (columns: Int, rows: Int) {
    var window = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return (80, 24) }
    return (Int(window.ws_col), Int(window.ws_row))
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        loop.defer { [weak self] in self?.onClose?() }
        return
      }
      done += count
    }
  }

  // MARK: Keys

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else {
      input?.cancel()
      onClose?()
      return
    }
    // A terminal sends all bytes of a key together. So an incomplete sequence at the end of a read is not continued by
    // the next read.
    var decoder = TerminalKeyDecoder()
    for key in decoder.keys(from: bytes[..<count]) + decoder.finish() { press(key) }
  }

  private func press(_ key: TerminalKey) {
    wanted = nil
    switch key {
    case .control("C"), .control("D"): onClose?()
    case _ where showsKeys:
      showsKeys = false
      redraw()
    case .escape: onFocus?(.back)
    case .enter: onFocus?(.activate)
    case .up: onFocus?(.up)
    case .down: onFocus?(.down)
    case .left: onFocus?(.left)
    case .right: onFocus?(.right)
    case .tab, .pageDown: onFocus?(.next)
    case .backTab, .pageUp: onFocus?(.previous)
    case .backspace: if !touch("key.erase") { onFocus?(.back) }
    case .scalar(let scalar) where isSearching:
      if let id = Self.searchKey(scalar) { touch(ElementID(id)) }
    case .scalar("q"), .scalar("Q"): onClose?()
    case .scalar("/"): search()
    case .scalar("l"): if !touch("browse") { touch("corner") }
    case .scalar(" "): touch("transport.central")
    case .scalar("?"):
      showsKeys = true
      redraw()
    case .scalar("n"): touch("transport.forward")
    case .scalar("p"): touch("transport.back")
    default: break
    }
  }

  /// The key of the search page for a letter or a digit. The letters are assigned to keys as on a telephone.
  static func searchKey(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case " ": return "key.space"
    case "1"..."9": return "key.\(scalar)"
    default:
      let groups = ["abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"]
      let letter = Character(scalar).lowercased()
      return groups.firstIndex { $0.contains(letter) }.map { "key.\($0 + 2)" }
    }
  }

  /// Opens the search. From Now Playing, opens the library first, and the search as soon as its button is shown.
  private func search() {
    if touch("key") { return }
    if touch("browse") { wanted = "key" }
  }

  private func touchWanted() {
    if let id = wanted, touch(id) { wanted = nil }
  }

  private var isSearching: Bool { area("key.erase") != nil }

  private func area(_ id: ElementID) -> HitArea? { scene?()?.hitAreas.first { $0.id == id } }

  /// Touches a control. Returns false if the control is not shown, or if it is disabled.
  @discardableResult
  private func touch(_ id: ElementID) -> Bool {
    guard let area = area(id), area.action != nil else { return false }
    let now = Duration.nanoseconds(EventClock.monotonic.now)
    onPointer?(.down(0, x: area.frame.midX, y: area.frame.midY, at: now))
    onPointer?(.up(0, x: area.frame.midX, y: area.frame.midY, at: now))
    return true
  }
}
