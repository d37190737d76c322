package import ScreenLayout

/// The properties of a picture that options on the command line can set.
package struct PictureOptions: Equatable, Sendable {
  /// The size of the picture. If it is nil, a sample state is painted at its own size, any other state at 800 × 480.
  package var size: PixelSize?
  /// The diagonal of the panel in inches. If it is nil, the diagonal depends on the state:
  /// - A sample state is painted with its own diagonal, if ``size`` is nil too.
  /// - The state of a unit is painted with the configured diagonal, if there is one.
  /// - In all other cases, the diagonal is seven inches.
  package var diagonal: Double?
  /// The language of the texts. If it is nil, the state of a unit is painted in the configured language, if there is
  /// one. In all other cases, the language of the state is used.
  package var language: String?
  /// The factor for the size of the letters. If it is nil, the state of a unit is painted with the configured factor,
  /// if there is one. In all other cases, the factor that suits the panel is used.
  package var textScale: Double?

  /// Creates options of which none is set.
  package init() {}

  /// Reads the value of the option that `reader` has found. Returns false if a picture has no such option.
  package mutating func read(_ reader: inout OptionReader) throws(UsageError) -> Bool {
    switch reader.option {
    case "--size": size = try reader.size()
    case "--diagonal": diagonal = try reader.number("a number of inches", 1...100)
    case "--text-scale": textScale = try reader.number("a number, as in 1.15", 0.85...1.3)
    case "--language": language = try reader.value("a language, as in de")
    default: return false
    }
    return true
  }

  /// The panel for a state that does not define a panel.
  package var panel: Panel {
    Panel(size: size ?? PixelSize(width: 800, height: 480), diagonalInches: diagonal ?? 7)
  }
}
