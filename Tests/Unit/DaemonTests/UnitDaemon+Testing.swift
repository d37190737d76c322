import AudioEngine
import Control
import TestKit

@testable import Daemon
@testable import Settings

extension UnitDaemon {
  /// Creates a whole daemon in this process. It plays the music of `home`, without a sound card, a library or
  /// Bluetooth.
  convenience init(
    _ home: ServeProcess.Home, settings change: (inout Settings) -> Void = { _ in },
    start changeStart: (inout Start) -> Void = { _ in }
  ) {
    var configuration = Configuration(
      [], checks: SettingChecks(output: { _ in nil }, amplifier: { _ in nil }))
    configuration.settings.musicFolders = [home.folder.path("music")]
    configuration.settings.stateFolder = home.folder.path("data")
    configuration.settings.artworkFolder = nil
    configuration.settings.controlSocket = home.socket
    configuration.settings.isLibraryOn = false
    configuration.settings.isBluetoothOn = false
    configuration.settings.start = .play
    change(&configuration.settings)
    let fixed = configuration
    var start = Start(
      configuration: fixed, readConfiguration: { fixed },
      makeSink: { _, _, _ in NullSink(periodFrames: 512, bufferMilliseconds: 50) },
      version: "test")
    changeStart(&start)
    self.init(start)
  }
}
