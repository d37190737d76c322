import AudioEngine
import HeadUnit
import LibraryModel
import Reports
import TestKit

@testable import Daemon

/// The queue of a unit with one present music folder and without a library.
class QueueBench {
  let context: PartContext
  let unit = HeadUnit(files: [], sink: NullSink(periodFrames: 512, bufferMilliseconds: 50))
  let mounted = MountedVolumes()
  let lists: UnitLists
  let parts: QueueParts

  /// - Parameter lines: the lines of `unit.conf`.
  init(_ lines: [String]) throws {
    context = try PartContext(lines)
    let (loop, settings, log) = (context.loop, context.settings, context.log)
    let library = UnitLibrary(
      loop, settings, absence: .off, configurationFiles: [],
      socket: context.folder.path("control"), context.turns, log: log)
    lists = UnitLists(
      UnitPlaylists(loop, settings, mounted, context.turns, log: log), library)
    parts = QueueParts(
      unit, lists, mounted, folder: context.folder.path("data"), settings: settings,
      context.turns, log: log)
    let music = MusicVolume(
      path: context.folder.path("music"), mount: "1", name: "MUSIC", isStick: false)
    mounted.set(PresentVolumes([music], sticks: []))
    parts.queue.volumesChanged()
  }

  deinit {
    parts.shutDown()
    lists.playlists.shutDown()
    unit.shutDown()
  }

  /// The first hundred entries.
  var entries: [QueueReport.Entry] { parts.commands.report(first: 0, limit: 100).entries }
}
