import ScreenLayout
import ScreenOptions

/// The parsed command line.
enum Invocation: Equatable {
  case help
  /// Shows what plays.
  case run(RunOptions)
  /// Paints the current state of the unit into a PNG file.
  case picture(RunOptions, PictureOptions, path: String)
  /// Saves the current state of the unit in a file.
  case saveState(RunOptions, path: String)
}

/// The options for the connection to the unit and for the display.
struct RunOptions: Equatable {
  /// If nil, the configured socket is used.
  var socket: String?
  /// If empty, the standard files are used.
  var configurationFiles: [String] = []
  var display = DisplayChoice.panel
}

enum DisplayChoice: Equatable {
  /// The panel of this machine.
  case panel
  /// A window on the desktop.
  case window(PixelSize)
  case terminal
  /// A display in memory, which lines on standard input operate. See ``ScriptedDisplay``.
  case scripted(PixelSize)
}

/// The options of `autoharp-screen-preview`. If one of them is given, the error message names that program.
private let previewOptions: Set = [
  "--state", "--scene", "--sheet", "--overview", "--list-states", "--bench", "--night", "--day",
]

/// Parses the command line, without the program's name. Each `--config` adds a file. If any other option is given
/// twice, the last value is used.
func parseCommandLine(_ arguments: [String]) throws(UsageError) -> Invocation {
  var options = RunOptions()
  var pictureOptions = PictureOptions()
  var picture: String?
  var saved: String?
  var reader = OptionReader(arguments)
  while let option = reader.next() {
    switch option {
    case "--help", "-h": return .help
    case "--png": picture = try reader.file()
    case "--save-state": saved = try reader.file()
    case "--socket": options.socket = try reader.value("the path of a socket")
    case "--config": options.configurationFiles.append(try reader.file())
    case "--scripted": options.display = .scripted(try reader.size())
    case "--terminal": options.display = .terminal
    case "--window": options.display = .window(try reader.size())
    case _ where previewOptions.contains(option):
      throw UsageError("\(option) is an option of autoharp-screen-preview")
    default: guard try pictureOptions.read(&reader) else { throw reader.unknownOption }
    }
  }
  if let saved { return .saveState(options, path: saved) }
  if let picture { return .picture(options, pictureOptions, path: picture) }
  guard pictureOptions == PictureOptions() else {
    throw UsageError("--size, --diagonal, --language and --text-scale need --png")
  }
  return .run(options)
}
