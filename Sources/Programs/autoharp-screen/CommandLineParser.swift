// This parser is written by hand, because swift-argument-parser would link FoundationEssentials.

import ScreenLayout
import ScreenSamples

/// The parsed command line.
enum Invocation: Equatable {
  case help
  case listStates
  /// Show what plays.
  case run(RunOptions)
  /// Paint a sample state into a PNG file.
  case picture(PreviewOptions, path: String)
  /// Paint a saved state into a PNG file.
  case savedPicture(PreviewOptions, path: String)
  /// Paint the current state of a unit into a PNG file.
  case livePicture(RunOptions, PreviewOptions, path: String)
  /// Save the current state of a unit in a file.
  case saveState(RunOptions, path: String)
  /// Print a sample state as text.
  case sceneText(PreviewOptions)
  /// Paint all sample states, each at a reduced size, into one PNG file.
  case sheet(path: String)
  /// Paint some of the sample states, each at a reduced size, into one PNG file.
  case overview(path: String)
  case bench
}

/// The state to paint and the properties of the screen.
struct PreviewOptions: Equatable {
  /// The name of a ``SampleScene``, or the path of a file with a saved state. A text that contains
  /// a dot or a slash is a path.
  var state = "playing"
  /// If nil, a sample state is painted at its own size, and a saved state or the state of a unit at
  /// 800 × 480.
  var size: PixelSize?
  /// The diagonal in inches. If nil, the diagonal depends on the state:
  /// - A sample state has its own diagonal, if ``size`` is nil too.
  /// - For the state of a unit, it is the configured diagonal, if there is one.
  /// - In all other cases, it is seven inches.
  var diagonal: Double?
  var appearance = Appearance.night
  /// If nil, the state of a unit is painted in the configured language, if there is one. In all
  /// other cases, the language of the state is used.
  var language: String?
  /// If nil, the state of a unit is painted with the configured scale, if there is one. In all
  /// other cases, the scale that suits the panel is used.
  var textScale: Double?
}

/// A command line that is not valid. Nothing was executed.
struct UsageError: Error, Equatable {
  /// The error and the word that caused it, in one line.
  var message: String
}

/// Parses the command line, without the program's name. Each `--config` adds a file. If any
/// other option is given twice, the last value is used.
func parseCommandLine(_ arguments: [String]) throws(UsageError) -> Invocation {
  var options = PreviewOptions()
  var picture: String?
  var sheet: String?
  var overview: String?
  var saved: String?
  var isScene = false
  var isBench = false
  var runOptions = RunOptions()
  var namesState = false
  var words = arguments[...]
  while let word = words.popFirst() {
    // The value follows `=` in the same word, or it is the next word.
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    func value(_ expected: String) throws(UsageError) -> String {
      let found =
        parts.count > 1 ? String(parts[1]) : words.first.map { $0.hasPrefix("--") ? "" : $0 } ?? ""
      if parts.count == 1, !found.isEmpty { words.removeFirst() }
      guard !found.isEmpty else { throw UsageError(message: "\(name) needs \(expected)") }
      return found
    }
    switch name {
    case "--help", "-h": return .help
    case "--list-states": return .listStates
    case "--png": picture = try value("the name of a file")
    case "--sheet": sheet = try value("the name of a file")
    case "--overview": overview = try value("the name of a file")
    case "--scene": isScene = true
    case "--bench": isBench = true
    case "--state":
      options.state = try state(try value("a state, see --list-states"))
      namesState = true
    case "--save-state": saved = try value("the name of a file")
    case "--socket": runOptions.socket = try value("the path of a socket")
    case "--config": runOptions.configurationFiles.append(try value("the name of a file"))
    case "--scripted": runOptions.scripted = try parseSize(try value("a size, as in 800x480"))
    case "--terminal": runOptions.isTerminal = true
    case "--window": runOptions.window = try parseSize(try value("a size, as in 800x480"))
    case "--size": options.size = try parseSize(try value("a size, as in 800x480"))
    case "--diagonal":
      options.diagonal = try number(try value("a number of inches"), name, 1...100)
    case "--text-scale":
      options.textScale = try number(try value("a number, as in 1.15"), name, 0.85...1.3)
    case "--language": options.language = try value("a language, as in de")
    case "--night": options.appearance = .night
    case "--day": options.appearance = .day
    default: throw UsageError(message: "unknown option \(quoted(word))")
    }
  }
  if let saved { return .saveState(runOptions, path: saved) }
  if let picture {
    if !namesState {
      return .livePicture(runOptions, options, path: picture)
    }
    return isFile(options.state)
      ? .savedPicture(options, path: picture) : .picture(options, path: picture)
  }
  guard !isFile(options.state) else {
    throw UsageError(message: "--state with a file needs --png")
  }
  if let sheet { return .sheet(path: sheet) }
  if let overview { return .overview(path: overview) }
  if isScene { return .sceneText(options) }
  if isBench { return .bench }
  guard options == PreviewOptions() else {
    throw UsageError(
      message: "--state, --size, --diagonal, --day, --language and --text-scale need --png, "
        + "--sheet, --overview, --scene or --bench")
  }
  return .run(runOptions)
}

private func isFile(_ state: String) -> Bool { state.contains(".") || state.contains("/") }

private func state(_ text: String) throws(UsageError) -> String {
  guard isFile(text) || SampleScene.named(text) != nil else {
    throw UsageError(
      message: "no sample state \(quoted(text)); see --list-states, or give a file as ./FILE")
  }
  return text
}

/// Parses a size such as `800x480`.
func parseSize(_ text: String) throws(UsageError) -> PixelSize {
  let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
  guard sides.count == 2, let width = sides[0], let height = sides[1],
    (320...4096).contains(width), (240...4096).contains(height)
  else {
    throw UsageError(
      message: "a size is WIDTHxHEIGHT, from 320x240 to 4096x4096, not \(quoted(text))")
  }
  return PixelSize(width: width, height: height)
}

private func number(_ text: String, _ option: String, _ range: ClosedRange<Double>)
  throws(UsageError) -> Double
{
  guard let value = Double(text), range.contains(value) else {
    throw UsageError(
      message: "\(option) is a number from \(range.lowerBound) to \(range.upperBound), "
        + "not \(quoted(text))")
  }
  return value
}

/// A word of the command line for a message. Each control character becomes a question mark, and a
/// long word is truncated.
private func quoted(_ word: String) -> String {
  let clean = word.unicodeScalars.prefix(60).map { scalar in
    scalar.properties.generalCategory == .control ? "?" : String(scalar)
  }
  return "'\(clean.joined())'"
}
