package import EventLoop
package import ScreenDisplay
package import ScreenLayout

/// A window on a developer's desktop. The mouse replaces the finger, the arrow keys replace the knob, and the window
/// has the size of the panel.
///
/// SDL has no descriptor that an event loop can wait for. So this type polls SDL sixty times per second. This is
/// acceptable on a desktop, and a head unit never runs this code.
package final class WindowDisplay: Display {
  private static let interval = Duration.microseconds(16_667)

  package private(set) var size: PixelSize
  /// Nil, because the pixels of a desktop do not have the size of the pixels of a panel.
  package var millimetres: (width: Double, height: Double)? { nil }
  package private(set) var isReady = false

  package var onReady: (() -> Void)?
  package var onResize: (() -> Void)?
  package var onLost: (() -> Void)?
  package var onShown: (() -> Void)?
  package var onPointer: ((PointerEvent) -> Void)?
  package var onFocus: ((FocusEvent) -> Void)?
  package var onLog: ScreenEvent.Log?
  /// Called when the window was closed, or could not be opened.
  package var onClose: ((Ending) -> Void)?
  /// Called when the user types a question mark. The owner then shows the list of the window's keys with
  /// ``cover(with:)``.
  package var onQuestionMark: (() -> Void)?

  /// The reason why the window is not open.
  package enum Ending: Equatable, Sendable {
    case closed
    /// The window could not be opened.
    case failed
  }

  private let loop: EventLoop
  private var sdl: SDL?
  private var renderer: SDL.Handle?
  private var texture: SDL.Handle?
  /// The picture that ``cover(with:)`` shows. Nil if it shows no picture.
  private var coverTexture: SDL.Handle?
  private var timer: TimerSource?
  private var isPressed = false

  /// - Parameter size: the size of the window when it opens.
  package init(_ loop: EventLoop, size: PixelSize) {
    self.loop = loop
    self.size = size
  }

  /// Opens the window. If there is no desktop or no SDL, calls ``onLog`` with the reason, and then ``onClose``.
  package func start() {
    let timer = TimerSource(loop) { [weak self] in self?.poll() }
    self.timer = timer
    loop.defer { [weak self] in self?.open() }
  }

  private func open() {
    guard let sdl = SDL() else {
      return fail("SDL 2 is not installed (Debian's package libsdl2-2.0-0)")
    }
    sdl.setMainReady()
    guard sdl.initialize(SDL.video) == 0,
      let window = sdl.createWindow(
        "Autoharp", SDL.centered, SDL.centered, Int32(size.width), Int32(size.height),
        SDL.resizable),
      let renderer = sdl.createRenderer(window, -1, 0)
    else { return fail("a window cannot be opened: \(sdl.errorText)") }
    self.sdl = sdl
    self.renderer = renderer
    renewTexture()
    isReady = true
    onReady?()
    timer?.set(after: Self.interval)
  }

  private func fail(_ reason: String) {
    onLog?(.displayFailed, reason)
    onClose?(.failed)
  }

  private func renewTexture() {
    guard let sdl else { return }
    uncover()
    if let texture { sdl.destroyTexture(texture) }
    texture = makeTexture()
  }

  private func makeTexture() -> SDL.Handle? {
    guard let sdl, let renderer else { return nil }
    return sdl.createTexture(
      renderer, SDL.xrgb8888, SDL.streaming, Int32(size.width), Int32(size.height))
  }

  package func present(_ picture: Picture, damage: [PixelRect]) {
    guard isReady, picture.size == size, let texture else { return }
    copy(picture, damage, to: texture)
    show()
    loop.defer { [weak self] in self?.onShown?() }
  }

  private func copy(_ picture: Picture, _ damage: [PixelRect], to texture: SDL.Handle) {
    guard let sdl, let base = picture.bytes.baseAddress else { return }
    for rect in damage {
      let area = rect.intersection(PixelRect(size))
      guard !area.isEmpty else { continue }
      let rect = [area.x, area.y, area.width, area.height].map { Int32($0) }
      _ = sdl.updateTexture(
        texture, rect, base + area.y * picture.stride + area.x * 4, Int32(picture.stride))
    }
  }

  /// Shows a picture of ``size`` in place of the presented pictures, until the next key or click.
  package func cover(with picture: Picture) {
    guard isReady, picture.size == size, coverTexture == nil, let texture = makeTexture()
    else { return }
    copy(picture, [PixelRect(size)], to: texture)
    coverTexture = texture
    show()
  }

  /// Removes the picture that ``cover(with:)`` shows. Returns false if it shows no picture.
  @discardableResult
  private func uncover() -> Bool {
    guard let sdl, let cover = coverTexture else { return false }
    sdl.destroyTexture(cover)
    coverTexture = nil
    show()
    return true
  }

  private func show() {
    guard let sdl, let renderer, let texture = coverTexture ?? texture else { return }
    _ = sdl.renderCopy(renderer, texture, nil, nil)
    sdl.present(renderer)
  }

  // MARK: Events of the desktop

  private func poll() {
    guard let sdl else { return }
    withUnsafeTemporaryAllocation(byteCount: SDLEvent.byteCount, alignment: 8) { bytes in
      guard let base = bytes.baseAddress else { return }
      while isReady, sdl.poll(base) != 0 { handle(SDLEvent(base)) }
    }
    if isReady { timer?.set(after: Self.interval) }
  }

  private func handle(_ event: SDLEvent) {
    let now = Duration.nanoseconds(EventClock.monotonic.now)
    switch event {
    case .quit:
      isReady = false
      onLost?()
      onClose?(.closed)
    case .resized(let width, let height):
      guard PixelSize(width: width, height: height) != size else { return show() }
      size = PixelSize(width: width, height: height)
      renewTexture()
      onResize?()
    case .exposed: show()
    case .button(let isDown, let x, let y):
      if isDown, uncover() { return }
      guard isDown != isPressed else { return }
      isPressed = isDown
      onPointer?(isDown ? .down(0, x: x, y: y, at: now) : .up(0, x: x, y: y, at: now))
    case .motion(let x, let y):
      if isPressed { onPointer?(.move(0, x: x, y: y, at: now)) }
    case .questionMark: onQuestionMark?()
    case .key(let scancode):
      if uncover() { return }
      if let focus = Self.focus[scancode] { onFocus?(focus) }
    case .other: break
    }
  }

  /// The focus event of each key, by the number of the key's position on the keyboard (USB HID).
  private static let focus: [Int: FocusEvent] = [
    40: .activate, 88: .activate, 41: .back, 79: .right, 80: .left, 81: .down, 82: .up,
    // Tab and Page Down correspond to a turn of the knob to the right. Page Up corresponds to a turn to the left.
    43: .next, 78: .next, 75: .previous,
  ]
}
