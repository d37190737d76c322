import AmplifierControl
import Input
import Settings
import Text

/// `autoharp config`: checks or shows the configuration.
struct ConfigCommand {
  private let options: ConfigOptions

  init(_ options: ConfigOptions) { self.options = options }

  func run() -> ExitStatus {
    let configuration =
      options.files.isEmpty
      ? Configuration(checks: .standard)
      : Configuration(files: options.files, isNamed: true, checks: .standard)
    do {
      switch options.action {
      case .check: try check(configuration)
      case .show: try show(configuration)
      }
    } catch {
      StandardStreams.printError(about: error)
      return .failure
    }
    return configuration.hasWrongLines ? .failure : .success
  }

  /// The result of this command is the list of wrong lines, so these lines are written to standard output.
  private func check(_ configuration: Configuration) throws(OutputError) {
    for notice in configuration.notices {
      try StandardStreams.print(TextWidth.sanitized(notice.description, limit: 2000))
    }
    if !configuration.hasWrongLines { try StandardStreams.print("No line is wrong.") }
  }

  private func show(_ configuration: Configuration) throws(OutputError) {
    for line in configuration.table { try StandardStreams.print(TextWidth.sanitized(line)) }
    for notice in configuration.notices { StandardStreams.printError(notice.description) }
  }
}

extension SettingChecks {
  /// The checks of the values in the configuration. They accept exactly the values that the player accepts.
  static let standard = SettingChecks(
    output: { text in
      do throws(UsageError) {
        _ = try OptionValues.output(text)
        return nil
      } catch {
        return "expected a file name after 'wav:', such as 'wav:out.wav'"
      }
    },
    amplifier: { text in
      do throws(AmplifierConfiguration.Invalid) {
        _ = try AmplifierConfiguration(text)
        return nil
      } catch {
        return error.reason
      }
    },
    key: KeyBinding.check)
}
