package import ScreenLayout

/// A display in memory, as a substitute for hardware. Stores the last picture, and counts pixels that changed outside
/// the damage. A test can send touches through ``onPointer``.
package final class MemoryDisplay: Display {
  package private(set) var size: PixelSize
  package private(set) var millimetres: (width: Double, height: Double)?
  package private(set) var isReady = false

  /// The pixels, in rows of `size.width`. Each pixel is one word.
  package private(set) var pixels: [UInt32]
  /// The number of pixels that changed outside the damage. It is 0 if the caller always passed the correct damage.
  package private(set) var changedOutside = 0

  /// The brightness that was set. Nil if no brightness was set.
  package private(set) var brightness: Int?
  package var hasBacklight = false

  package var onReady: (() -> Void)?
  package var onResize: (() -> Void)?
  package var onLost: (() -> Void)?
  package var onShown: (() -> Void)?
  package var onPointer: ((PointerEvent) -> Void)?
  package var onFocus: ((FocusEvent) -> Void)?
  package var onLog: ScreenEvent.Log?

  /// Called with the damage of each presented picture.
  package var onPresented: (([PixelRect]) -> Void)?

  /// Creates a display that is ready after ``plug()``. If `isPlugged` is true, ``start()`` calls ``plug()``.
  package init(
    size: PixelSize, millimetres: (width: Double, height: Double)? = nil, isPlugged: Bool = true
  ) {
    self.size = size
    self.millimetres = millimetres
    self.isPlugged = isPlugged
    pixels = [UInt32](repeating: 0, count: size.width * size.height)
  }

  private let isPlugged: Bool

  package func start() { if isPlugged { plug() } }

  package func setBrightness(_ percent: Int) { brightness = percent }

  /// Simulates plugging the cable in.
  package func plug() {
    isReady = true
    onReady?()
  }

  /// Simulates pulling the cable.
  package func unplug() {
    isReady = false
    onLost?()
  }

  /// Simulates that the panel is replaced with a panel of another size.
  package func resize(_ size: PixelSize, millimetres: (width: Double, height: Double)? = nil) {
    self.size = size
    self.millimetres = millimetres
    pixels = [UInt32](repeating: 0, count: size.width * size.height)
    onResize?()
  }

  package func present(_ picture: Picture, damage: [PixelRect]) {
    precondition(picture.size == size, "a picture of \(picture.size) on \(size)")
    guard isReady else { return }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let word =
          UnsafeRawBufferPointer(picture.bytes)
          .loadUnaligned(fromByteOffset: y * picture.stride + 4 * x, as: UInt32.self) & 0xFF_FFFF
        let index = y * size.width + x
        guard pixels[index] != word else { continue }
        pixels[index] = word
        let point = PixelPoint(x: x, y: y)
        if !damage.contains(where: { $0.contains(point) }) { changedOutside += 1 }
      }
    }
    onPresented?(damage)
    onShown?()
  }
}
