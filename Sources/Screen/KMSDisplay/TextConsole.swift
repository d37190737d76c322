internal import CDRM
internal import EventLoop
internal import Glibc

/// The kernel's text console, if this program was started on such a console. Switches the console to graphics mode,
/// which hides the cursor. The user can still switch to another console and back.
///
/// A service has no console, so ``init(_:onLeave:onEnter:)`` returns nil in a service. If the process is killed, the
/// console stays in graphics mode. A switch to another console with `chvt` shows text again.
final class TextConsole {
  private let descriptor: Int32
  private var signals: [SignalSource] = []

  /// Returns nil if the controlling terminal is not a console of the kernel.
  init?(_ loop: EventLoop, onLeave: @escaping () -> Void, onEnter: @escaping () -> Void) {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return nil }
    var mode: Int32 = 0
    descriptor = terminal
    guard cdrm_get_console_mode(terminal, &mode) == 0 else { return nil }
    do {
      signals = [
        try SignalSource(loop, signal: SIGUSR1) {
          onLeave()
          _ = cdrm_allow_switch(terminal)
        },
        try SignalSource(loop, signal: SIGUSR2) {
          _ = cdrm_acknowledge_switch(terminal)
          onEnter()
        },
      ]
    } catch {
      return nil
    }
    _ = cdrm_set_console_mode(terminal, KD_GRAPHICS)
    _ = cdrm_ask_before_switch(terminal, SIGUSR1, SIGUSR2)
  }

  deinit {
    if !signals.isEmpty {
      for signal in signals { signal.cancel() }
      _ = cdrm_ask_before_switch(descriptor, 0, 0)
      _ = cdrm_set_console_mode(descriptor, KD_TEXT)
    }
    close(descriptor)
  }
}

/// Detaches the kernel's text consoles from the displays as long as this object exists. Only root is permitted to
/// detach the consoles. Without root, the consoles stay attached, but draw nothing while a program is the DRM master.
final class BoundConsoles {
  private static let folder = "/sys/class/vtconsole"
  private var unbound: [String] = []

  init() {
    for number in 0..<8 {
      let console = "\(Self.folder)/vtcon\(number)"
      // Only modular console drivers can be unbound. Their names begin with `(M)`. After that, the dummy driver (often
      // `vtcon0`) drives the consoles and draws nothing.
      guard Self.text(of: "\(console)/name").hasPrefix("(M)"),
        Self.text(of: "\(console)/bind").hasPrefix("1")
      else { continue }
      if Self.write("0", to: "\(console)/bind") { unbound.append(console) }
    }
  }

  deinit { for console in unbound { _ = Self.write("1", to: "\(console)/bind") } }

  private static func text(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) -> Bool {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return Glibc.write(file, text, text.utf8.count) > 0
  }
}
