import ScreenLayout
import ScreenOptions
import ScreenSamples

/// The parsed command line.
enum Invocation: Equatable {
  case help
  case listStates
  /// Paints a state into a PNG file.
  case picture(PreviewOptions, path: String)
  /// Prints a state as text.
  case sceneText(PreviewOptions)
  /// Paints all sample states, each at a reduced size, into one PNG file.
  case sheet(path: String)
  /// Paints some of the sample states, each at a reduced size, into one PNG file.
  case overview(path: String)
  case bench
}

/// The state to paint and the properties of the screen.
struct PreviewOptions: Equatable {
  /// The name of a ``SampleScene``, or the path of a file with a saved state. See ``isFile``.
  var state = "playing"
  var appearance = Appearance.night
  var picture = PictureOptions()

  /// True if ``state`` is a path: it contains a dot or a slash.
  var isFile: Bool { state.contains(".") || state.contains("/") }
}

/// Parses the command line, without the program's name. If an option is given twice, the last value is used.
func parseCommandLine(_ arguments: [String]) throws(UsageError) -> Invocation {
  var options = PreviewOptions()
  var action: Invocation?
  var picture: String?
  var isScene = false
  var reader = OptionReader(arguments)
  while let option = reader.next() {
    switch option {
    case "--help", "-h": return .help
    case "--list-states": return .listStates
    case "--png": picture = try reader.file()
    case "--scene": isScene = true
    case "--sheet": action = .sheet(path: try reader.file())
    case "--overview": action = .overview(path: try reader.file())
    case "--bench": action = .bench
    case "--state":
      options.state = try reader.value("a state, see --list-states")
      guard options.isFile || SampleScene.named(options.state) != nil else {
        throw UsageError(
          "no sample state \(OptionReader.quoted(options.state)); see --list-states, or give a "
            + "file as ./FILE")
      }
    case "--night": options.appearance = .night
    case "--day": options.appearance = .day
    default: guard try options.picture.read(&reader) else { throw reader.unknownOption }
    }
  }
  if let picture { return .picture(options, path: picture) }
  if isScene { return .sceneText(options) }
  guard let action else {
    throw UsageError("--png, --scene, --sheet, --overview, --list-states or --bench is missing")
  }
  return action
}
