internal import Control
internal import EventLoop
internal import HeadUnit
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import UnitState

/// Chooses what plays if no song of the queue can play: the present volume that was heard last, then the stick that
/// came last, then the folders of the unit. A volume continues where it was left.
///
/// Used on the control thread; no call blocks.
final class PresentMusic {
  private let commands: QueueCommands
  private let music: MusicFolders
  private let recentLists: RecentListSaver
  private let mounted: MountedVolumes
  private let turns: Turns
  /// True if the commands were published with the music that is present.
  private var isOffered = false

  /// Registers this object at the source of the unit's own music.
  init(
    _ commands: QueueCommands, _ music: MusicFolders, _ recentLists: RecentListSaver,
    _ mounted: MountedVolumes, _ turns: Turns
  ) {
    self.commands = commands
    self.music = music
    self.recentLists = recentLists
    self.mounted = mounted
    self.turns = turns
    let source = music.unit.source
    source.otherMusic = LocalSource.OtherMusic(
      isPresent: { [weak self] in self?.isPresent ?? false },
      play: { [weak self] in self?.play($0) })
  }

  /// True if a volume with music is present.
  private var isPresent: Bool { volume != nil }

  /// Publishes the commands again if music has come or gone. Call this in each turn.
  func update() {
    let isNeeded = !music.unit.player.hasMusic && isPresent
    guard isNeeded != isOffered else { return }
    isOffered = isNeeded
    music.unit.source.update()
  }

  /// The volume that plays. Nil if no volume has music.
  private var volume: String? {
    let volumes = mounted.present.volumes
    let heard = recentLists.lists.entries.lazy.map(\.reference.volume)
      .filter { volumes[$0] != nil }
    let folders = music.folders.compactMap { folder in
      volumes.first { !$0.value.isStick && $0.value.path == withoutTrailingSlashes(folder) }?.key
    }
    let rest = volumes.keys.sorted()
    let all = Array(heard) + mounted.sticks.reversed() + folders + rest
    return all.first { music.hasMusic(on: $0) == true }
      ?? all.first { music.hasLibrary && music.hasMusic(on: $0) == nil && isStick($0) }
  }

  private func isStick(_ identity: String) -> Bool {
    mounted.present.volumes[identity]?.isStick == true
  }

  private func play(_ command: CommandReply) {
    guard let volume else { return command(.noSuchContent(), at: .now()) }
    commands.playVolume(
      volume,
      ListReply(command, music.unit.source, turns.loop) { [music] in
        music.log(.listRefused, "\(volume): \($0.sentence)", at: .now())
        music.outbox.put(.notice(UnitNotice(.listFailed)))
      })
    turns.request()
  }
}
