import EventLoop
import Glibc
import ScreenDisplay
import ScreenLayout
import ScreenOptions

/// A display in memory for tests of the whole program. Lines on standard input operate the display:
///
///     tap X Y | down ID X Y | move ID X Y | up ID X Y | cancel ID | hover X Y
///     focus next|previous|left|right|up|down|activate|back
///     plug | pull | resize WxH | shot FILE
///
/// Each picture is reported on standard output as `shown NUMBER PIXELS`; PIXELS is the area of the changed rectangles
/// in pixels. An unknown line is reported as `unknown`. `shot` writes the picture as PPM and then prints `shot`, or `no
/// shot` if the file could not be written. When the input ends, the program ends.
final class ScriptedDisplay {
  let display: MemoryDisplay
  private let loop: EventLoop
  private var source: DescriptorSource?
  private var pending: [UInt8] = []
  private var shown = 0

  init(_ loop: EventLoop, size: PixelSize) throws(SystemError) {
    self.loop = loop
    display = MemoryDisplay(size: size)
    source = try DescriptorSource(loop, descriptor: STDIN_FILENO) { [weak self] _ in self?.read() }
    display.onPresented = { [weak self] damage in
      guard let self else { return }
      shown += 1
      writeLine("shown \(shown) \(damage.reduce(0) { $0 + $1.area })")
    }
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else {
      source?.cancel()
      return loop.exit(0)
    }
    pending += bytes[..<count]
    while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: pending[..<end], as: UTF8.self)
      pending.removeSubrange(...end)
      if !perform(line.split(separator: " ").map(String.init)) { writeLine("unknown") }
    }
    if pending.count > 4096 { pending = [] }
  }

  private func perform(_ words: [String]) -> Bool {
    let numbers = words.dropFirst().compactMap { Int($0) }
    let at = Duration.nanoseconds(EventClock.monotonic.now)
    switch (words.first, numbers.count) {
    case ("tap", 2):
      display.onPointer?(.down(0, x: numbers[0], y: numbers[1], at: at))
      display.onPointer?(.up(0, x: numbers[0], y: numbers[1], at: at))
    case ("down", 3):
      display.onPointer?(.down(numbers[0], x: numbers[1], y: numbers[2], at: at))
    case ("move", 3):
      display.onPointer?(.move(numbers[0], x: numbers[1], y: numbers[2], at: at))
    case ("up", 3):
      display.onPointer?(.up(numbers[0], x: numbers[1], y: numbers[2], at: at))
    case ("hover", 2): display.onPointer?(.hover(x: numbers[0], y: numbers[1], at: at))
    case ("cancel", 1): display.onPointer?(.cancel(numbers[0], at: at))
    case ("plug", _): display.plug()
    case ("pull", _): display.unplug()
    case ("focus", _):
      guard let event = words.last.flatMap({ Self.focus[$0] }) else { return false }
      display.onFocus?(event)
    case ("resize", _):
      guard let size = words.last.flatMap(OptionReader.size) else { return false }
      display.resize(size)
    case ("shot", _):
      guard words.count == 2 else { return false }
      writePicture(words[1])
    default: return false
    }
    return true
  }

  private static let focus: [String: FocusEvent] = [
    "next": .next, "previous": .previous, "left": .left, "right": .right, "up": .up,
    "down": .down, "activate": .activate, "back": .back,
  ]

  private func writePicture(_ path: String) {
    var bytes = Array("P6\n\(display.size.width) \(display.size.height)\n255\n".utf8)
    for pixel in display.pixels {
      bytes += [UInt8(pixel >> 16 & 255), UInt8(pixel >> 8 & 255), UInt8(pixel & 255)]
    }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    var written = 0
    while file >= 0, written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      written += count
    }
    if file >= 0 { close(file) }
    writeLine(written == bytes.count ? "shot" : "no shot")
  }

  private func writeLine(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }
}
