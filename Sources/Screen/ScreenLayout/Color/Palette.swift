/// The choice between the colours for day and the colours for night.
public enum Appearance: String, Hashable, Sendable, CaseIterable {
  case night, day
}

/// The purpose of a colour. A scene contains roles, and a palette maps each role to a colour.
public enum ColorRole: String, Hashable, Sendable, CaseIterable {
  /// Title, clock, and controls.
  case text
  /// Less important text: artist, times, phones.
  case secondaryText
  /// The progress bar, and buttons that are switched on.
  case accent
  /// Text on ``accent``.
  case onAccent
  /// The play button. If there are two buttons with a text, also the primary button.
  case disc
  /// Icon and text on ``disc``.
  case onDisc
  /// The background of a button that is not primary.
  case fill
  /// The background of the row of the track that plays.
  case selection
  /// The part of the progress bar that has not been played.
  case track
  /// Thin lines.
  case line
  /// The background of a notice and of the volume.
  case card
  /// The icon and the text of an interruption, such as a call.
  case good
  /// The icon of a notice.
  case warning
  /// Painted over a picture to make the picture less prominent.
  case veil
  /// An icon on a picture with ``veil``.
  case onVeil
  /// Painted under a finger that presses a control.
  case pressed
  /// The bar on a cover that shows how much of a list was heard, and the heard part of this bar.
  case coverTrack, onCoverTrack
  /// The background of a QR code: white by day and by night.
  case paper
}

/// A colour and its opacity.
public struct Color: Hashable, Sendable {
  /// The colour itself, before it is mixed with the colours under it.
  public let rgb: RGB
  /// 0 transparent … 1 opaque.
  public let opacity: Double

  init(_ rgb: RGB, _ opacity: Double = 1) {
    self.rgb = rgb
    self.opacity = opacity
  }
}

/// All colours of a scene. They are derived from a cover and have enough contrast.
///
/// Day and night have the same layout; only the colours differ.
public struct Palette: Hashable, Sendable {
  /// The least contrast of text on its background (WCAG 2 AA for text of any size).
  public static let leastContrast = 4.5

  /// Day or night.
  public let appearance: Appearance
  /// The upper leading corner of the background.
  public let groundStart: OKLab
  /// The lower trailing corner of the background.
  public let groundEnd: OKLab
  /// The light behind the cover.
  public let glow: OKLab
  private let accent: RGB
  private let onAccent: RGB
  private let disc: RGB
  private let onDisc: RGB
  private let card: RGB

  /// Creates the palette from the colours of a cover.
  public init(_ colors: CoverColors, _ appearance: Appearance) {
    self.appearance = appearance
    switch appearance {
    case .night:
      groundStart = Self.nightGround(0.275, 0.056, colors.dominant)
      groundEnd = Self.nightGround(0.155, 0.026, colors.dominant)
      glow = Self.nightGround(0.345, 0.070, colors.second)
      card = Self.nightGround(0.315, 0.040, colors.dominant).rgb
      disc = Self.tone(colors.accent, lightness: 0.905, chroma: 0...0.035).rgb
      onDisc = Self.tone(colors.dominant, lightness: 0.17, chroma: 0...0.03).rgb
    case .day:
      groundStart = Self.tone(colors.dominant, lightness: 0.972, chroma: 0...0.007)
      groundEnd = Self.tone(colors.dominant, lightness: 0.918, chroma: 0...0.016)
      glow = Self.tone(colors.second, lightness: 0.938, chroma: 0...0.026)
      card = .white
      disc = Self.warmed(Self.tone(colors.dominant, lightness: 0.25, chroma: 0...0.05), 0.020).rgb
      onDisc = .white
    }
    let grounds = [groundStart.rgb, groundEnd.rgb, glow.rgb]
    let (fill, opacity) = Self.fill(appearance)
    // Accents are also painted on tiles, so the accent needs contrast with the tiles too.
    let all = grounds + grounds.map { $0.covered(by: fill, opacity: opacity) } + [card]
    let wanted = Self.accentTone(colors.accent, appearance)
    accent = Self.withContrast(wanted, on: all, lighter: appearance == .night)
    onAccent = appearance == .night ? onDisc : .white
  }

  /// The colour of a role.
  public subscript(role: ColorRole) -> Color {
    let isNight = appearance == .night
    switch role {
    case .text: return Color(isNight ? RGB(0xF3F4F6) : RGB(0x101318))
    case .secondaryText: return Color(isNight ? RGB(0xC6CBD4) : RGB(0x3E444E))
    case .accent: return Color(accent)
    case .onAccent: return Color(onAccent)
    case .disc: return Color(disc)
    case .onDisc: return Color(onDisc)
    case .fill:
      let (rgb, opacity) = Self.fill(appearance)
      return Color(rgb, opacity)
    case .selection: return isNight ? Color(.white, 0.09) : Color(.white, 0.72)
    case .track: return isNight ? Color(.white, 0.20) : Color(.black, 0.17)
    case .line: return isNight ? Color(.white, 0.10) : Color(.black, 0.12)
    case .card: return Color(card)
    case .good: return Color(isNight ? RGB(0x70DC98) : RGB(0x0E6034))
    case .warning: return Color(isNight ? RGB(0xFFC65C) : RGB(0x744200))
    case .veil: return isNight ? Color(.black, 0.5) : Color(.white, 0.5)
    case .onVeil: return Color(isNight ? .white : RGB(0x101318))
    case .pressed: return isNight ? Color(.white, 0.12) : Color(.black, 0.12)
    case .coverTrack: return Color(.black, 0.55)
    case .onCoverTrack: return Color(.white)
    case .paper: return Color(.white)
    }
  }

  /// The opacity of icons that do not react to a touch.
  public var inertOpacity: Double { appearance == .night ? 0.30 : 0.32 }

  // MARK: Tones

  private static func fill(_ appearance: Appearance) -> (RGB, Double) {
    appearance == .night ? (.white, 0.11) : (.black, 0.075)
  }

  private static func tone(
    _ color: OKLab, lightness: Double, chroma: ClosedRange<Double>
  ) -> OKLab {
    OKLab(
      lightness: lightness, chroma: min(max(color.chroma, chroma.lowerBound), chroma.upperBound),
      hue: color.hue)
  }

  private static func nightGround(_ lightness: Double, _ chroma: Double, _ color: OKLab) -> OKLab {
    warmed(
      tone(color, lightness: lightness, chroma: 0...chroma), 0.026 + 0.06 * (lightness - 0.155))
  }

  /// Dark orange looks brown, and dark yellow looks dirty. So for hues between red (25°) and green (125°), this
  /// function moves the hue towards red and limits the chroma. The results look like wood and charcoal.
  private static func warmed(_ color: OKLab, _ chroma: Double) -> OKLab {
    let degrees = color.hue * 360 / Angle.turn
    guard degrees > 25, degrees < 125 else { return color }
    // The change is full in the middle of this range and zero at its edges, so that similar covers get similar colours.
    let edge = min(1, min(degrees - 25, 125 - degrees) / 15)
    let moved =
      degrees < 90 ? 25 + (degrees - 25) * 0.18 : 36.7 + (degrees - 90) * (125 - 36.7) / 35
    let target = OKLab(
      lightness: color.lightness, chroma: min(color.chroma, chroma), hue: moved / 360 * Angle.turn)
    return color.mixed(with: target, edge)
  }

  private static func accentTone(_ color: OKLab, _ appearance: Appearance) -> OKLab {
    // A cover without colour gets an accent without colour.
    let isGrey = color.chroma < 0.02
    switch appearance {
    case .night: return tone(color, lightness: 0.84, chroma: isGrey ? 0...0 : 0.06...0.115)
    case .day: return tone(color, lightness: 0.405, chroma: isGrey ? 0...0 : 0.09...0.15)
    }
  }

  /// `color`, made lighter or darker until it has enough contrast with all of `grounds`.
  private static func withContrast(_ color: OKLab, on grounds: [RGB], lighter: Bool) -> RGB {
    var color = color
    // The loop takes at most fifty steps. Its last possible colour is white or black, and this colour has enough
    // contrast with all of `grounds`.
    while color.lightness > 0, color.lightness < 1,
      grounds.contains(where: { $0.contrast(with: color.rgb) < leastContrast })
    {
      color.lightness += lighter ? 0.02 : -0.02
    }
    return color.rgb
  }
}
