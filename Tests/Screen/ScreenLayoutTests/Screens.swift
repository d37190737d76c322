import NowPlaying
import ScreenLayout
import ScreenSamples

/// The size of a screen in pixels, and its diagonal.
struct Screen: CustomStringConvertible, Sendable {
  let width: Int
  let height: Int
  let inches: Double

  var description: String { "\(width)x\(height)" }
  var panel: Panel {
    Panel(size: PixelSize(width: width, height: height), diagonalInches: inches)
  }

  static let usual = Screen(width: 800, height: 480, inches: 7)
  static let small = Screen(width: 480, height: 320, inches: 3.5)
  static let portrait = Screen(width: 480, height: 800, inches: 5)
  static let wide = Screen(width: 1280, height: 480, inches: 8.8)
  static let all = [
    usual, small, portrait, wide, Screen(width: 1024, height: 600, inches: 7),
    Screen(width: 1280, height: 720, inches: 10),
    // A small screen with many pixels. It shows the compact arrangement, enlarged.
    Screen(width: 800, height: 480, inches: 4),
    // A square screen.
    Screen(width: 720, height: 720, inches: 5),
  ]
}

extension SampleScene {
  /// The scene on `screen`. If `screen` is nil, the sample's own screen is used.
  func scene(
    _ screen: Screen? = nil, _ appearance: Appearance = .night, language: LanguageTag? = nil,
    colors: CoverColors = .neutral, _ change: (inout ScreenContext) -> Void = { _ in }
  ) -> Scene {
    var context = language.map { translated(to: $0).context } ?? context
    if let screen { context.panel = screen.panel }
    context.appearance = appearance
    context.colors = colors
    change(&context)
    return NowPlayingLayout.scene(state, context, measure: FixedWidthMeasure())
  }
}

extension Scene {
  /// The action of a tap on this element.
  func action(_ id: ElementID) -> ScreenAction? { hitAreas.first { $0.id == id }?.action }

  func text(_ id: ElementID) -> String? {
    if case .text(let run)? = self[id]?.content { return run.text }
    return nil
  }

  func symbol(_ id: ElementID) -> Symbol? {
    if case .icon(let icon)? = self[id]?.content, case .symbol(let symbol) = icon.picture {
      return symbol
    }
    return nil
  }
}

/// Pseudo-random numbers (SplitMix64). Equal seeds give equal numbers on every machine.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
