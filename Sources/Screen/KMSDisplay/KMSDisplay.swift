internal import CDRM
package import EventLoop
internal import Glibc
package import ScreenDisplay
package import ScreenLayout

/// A panel that is connected to a graphics card of this machine. Works without a desktop (kernel mode setting).
///
/// Uses the first display that is connected to any card. Waits if no display is connected, or if another program uses
/// the display. After any loss of the display, this object closes the display completely and searches again. So the
/// same code handles a pulled cable, a removed card, a driver reset and a switch to another console.
///
/// There are two buffers, and one of them is shown. The other buffer is out of date in two regions: the damage of the
/// current picture, and the damage of the previous picture. (The previous picture was copied only into the buffer that
/// is shown.) Both regions are copied directly from the memory of the painter. While a flip is pending, the buffers
/// must not be written. A picture that arrives during this time is kept in separate memory until the card reports the
/// end of the flip.
package final class KMSDisplay: Display {
  /// The interval of attempts to open a display, after a call has failed or while another program uses the display.
  private static let retry = Duration.seconds(1)
  /// If the card does not report the end of a flip within this time, the flip is treated as lost.
  private static let flipTimeout = Duration.seconds(3)
  /// The size that is assumed until a display is found.
  private static let assumedSize = PixelSize(width: 800, height: 480)

  package private(set) var size: PixelSize
  package private(set) var millimetres: (width: Double, height: Double)?
  package var isReady: Bool { screen != nil }

  package var onReady: (() -> Void)?
  package var onResize: (() -> Void)?
  package var onLost: (() -> Void)?
  package var onShown: (() -> Void)?
  package var onPointer: ((PointerEvent) -> Void)?
  package var onFocus: ((FocusEvent) -> Void)?
  package var onLog: ScreenEvent.Log?

  private let loop: EventLoop
  private let rotation: Rotation
  private let input: (any PanelInput)?
  private var screen: PanelBuffers?
  private var flips: DescriptorSource?
  private var hotplugMonitor: HotplugMonitor?
  private var backlight: Backlight?
  private var console: TextConsole?
  private var consoles: BoundConsoles?
  private var retryTimer: TimerSource?
  private var flipTimer: TimerSource?
  private var isAway = false
  private var isSearchScheduled = false
  private var lastLine: (event: ScreenEvent, message: String) = (.displayMissing, "")

  /// - Parameters:
  ///   - rotation: the rotation of pictures on the panel. `input` must use the same rotation.
  ///   - input: reports the touches and keys of the panel. It is started when the first picture is visible.
  package init(_ loop: EventLoop, rotation: Rotation = .none, input: (any PanelInput)? = nil) {
    self.loop = loop
    self.rotation = rotation
    self.input = input
    size = rotation.turned(Self.assumedSize)
  }

  package func start() {
    hotplugMonitor = HotplugMonitor(loop) { [weak self] subject in
      switch subject {
      case .graphics: self?.scheduleSearch()
      case .light: self?.backlight?.find()
      }
    }
    backlight = Backlight(loop) { [weak self] in self?.log(.backlightFailed, $0) }
    backlight?.find()
    console = TextConsole(
      loop,
      onLeave: { [weak self] in
        self?.isAway = true
        self?.lose("another console is shown")
      },
      onEnter: { [weak self] in
        self?.isAway = false
        self?.scheduleSearch()
      })
    let retry = TimerSource(loop, accuracy: .milliseconds(100)) { [weak self] in self?.search() }
    let flip = TimerSource(loop, accuracy: .milliseconds(100)) { [weak self] in
      self?.lose("the card did not report the end of a page flip")
      self?.scheduleSearch()
    }
    retryTimer = retry
    flipTimer = flip
    input?.onPointer = { [weak self] event in
      if let self, isReady { onPointer?(event) }
    }
    input?.onFocus = { [weak self] event in
      if let self, isReady { onFocus?(event) }
    }
    input?.onLog = { [weak self] in self?.onLog?($0, $1) }
    scheduleSearch()
  }

  /// Releases the display and the console. The object cannot be started again.
  package func stop() {
    isAway = true
    input?.stop()
    close()
    retryTimer?.cancel()
    flipTimer?.cancel()
    hotplugMonitor = nil
    backlight = nil
    console = nil
    consoles = nil
  }

  // MARK: Finding

  /// Schedules one search for all changes that arrive together.
  private func scheduleSearch() {
    guard !isSearchScheduled else { return }
    isSearchScheduled = true
    loop.defer { [weak self] in
      self?.isSearchScheduled = false
      self?.search()
    }
  }

  private func search() {
    guard !isAway else { return }
    if let screen {
      // If the display and its mode are the same, the change concerns another card or connector.
      if let found = try? Output.find(on: screen.card), found.output == screen.output { return }
      lose("the display was removed or replaced")
    }
    retryTimer?.stop()
    var isTaken = false
    var hasFailed = false
    for path in Card.paths() {
      do {
        let card = try Card(path)
        let (output, mode) = try Output.find(on: card)
        let buffers = try PanelBuffers(Scanout(card, output, mode), rotation)
        flips = try? DescriptorSource(loop, descriptor: card.descriptor) { [weak self] _ in
          self?.readFlips()
        }
        use(buffers)
        return
      } catch {
        switch error {
        case .taken: isTaken = true
        case .failed(let call, let number):
          log(.displayFailed, "\(path): \(call): \(String(cString: strerror(number)))")
          hasFailed = true
        case .nothingConnected: break
        }
      }
    }
    if isTaken || hasFailed { retryTimer?.set(after: Self.retry) }
    if isTaken {
      log(.displayBusy, "another program uses the display, or this program has no access to it")
    } else if !hasFailed {
      log(.displayMissing, "no display is connected")
    }
  }

  private func use(_ buffers: PanelBuffers) {
    if consoles == nil { consoles = BoundConsoles() }
    screen = buffers
    let output = buffers.output
    let old = (size, millimetres)
    size = rotation.turned(output.size)
    let extent = output.millimetres
    if extent.width > 0, extent.height > 0 {
      let isUpright = rotation == .none || rotation == .around
      millimetres = (
        Double(isUpright ? extent.width : extent.height),
        Double(isUpright ? extent.height : extent.width)
      )
    } else {
      millimetres = nil
    }
    input?.size = size
    let calls = buffers.card.isAtomic ? "atomic" : "legacy"
    log(
      .displayOpened, "\(output.name), \(output.size), \(buffers.card.path), \(calls) mode setting")
    if size != old.0 || millimetres?.width != old.1?.width { onResize?() }
    onReady?()
  }

  private func lose(_ reason: String) {
    guard screen != nil else { return }
    close()
    log(.displayLost, reason)
    onLost?()
  }

  private func close() {
    // The event source must be cancelled before its descriptor is closed. The last line of this function releases the
    // card, and the card closes the descriptor.
    flips?.cancel()
    flips = nil
    flipTimer?.stop()
    screen = nil
  }

  private func log(_ event: ScreenEvent, _ message: String) {
    guard (event, message) != lastLine else { return }
    lastLine = (event, message)
    onLog?(event, message)
  }

  // MARK: Showing

  package func present(_ picture: Picture, damage: [PixelRect]) {
    guard let screen, picture.size == size else { return }
    attempt { () throws(KMSError) in try screen.present(picture, damage) }
  }

  package var hasBacklight: Bool { backlight?.isFound ?? false }

  package func setBrightness(_ percent: Int) { backlight?.set(percent) }

  private func readFlips() {
    guard let screen else { return }
    let status = withExtendedLifetime(screen) {
      cdrm_read_events(screen.card.descriptor) { _, _, _, _, _ in }
    }
    if status < 0, status != -EAGAIN, status != -EINTR {
      lose("the events of the card cannot be read")
      scheduleSearch()
      return
    }
    guard status == 0 else { return }
    flipTimer?.stop()
    attempt { () throws(KMSError) in try screen.flipped() }
    shown()
  }

  private func shown() {
    input?.start()
    onShown?()
  }

  private func attempt(_ body: () throws(KMSError) -> PanelBuffers.Progress) {
    do {
      switch try body() {
      case .nothing: break
      case .flipping: flipTimer?.set(after: Self.flipTimeout)
      case .shown: loop.defer { [weak self] in self?.shown() }
      }
    } catch {
      // The error can occur inside `present`. So the loss is reported later, after `present` has returned.
      loop.defer { [weak self] in
        guard let self else { return }
        switch error {
        case .failed(let call, let number):
          lose("\(call): \(String(cString: strerror(number)))")
        case .taken, .nothingConnected: lose("another program uses the display")
        }
        retryTimer?.set(after: Self.retry)
      }
    }
  }
}
