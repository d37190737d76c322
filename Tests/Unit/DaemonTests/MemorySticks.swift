import Foundation
import TestKit

/// Sticks of a unit: file systems in memory that are mounted in its music folder. As in the image, a report contains
/// the identity of each stick.
struct MemorySticks {
  let home: ServeProcess.Home

  init(_ home: ServeProcess.Home) throws {
    self.home = home
    try FileManager.default.createDirectory(
      atPath: home.folder.path("sticks"), withIntermediateDirectories: true)
  }

  /// The folder at which a stick is mounted.
  func point(_ name: String) -> String { home.folder.path("music/\(name)") }

  /// Mounts a stick with one track.
  /// - Parameters:
  ///   - seconds: the duration of the track.
  ///   - copies: the number of additional hard links to the track.
  func plug(_ name: String, identity: String, seconds: Int, copies: Int = 0) throws {
    let folder = home.folder
    try folder.write("sticks/\(name)", Array("identity \(identity)\n".utf8))
    try FileManager.default.createDirectory(atPath: point(name), withIntermediateDirectories: true)
    // The track is written before the daemon can see the mount. So the search finds the track.
    let track = folder.path("music-of-\(name)")
    try FileManager.default.createDirectory(atPath: track, withIntermediateDirectories: true)
    try Tools.run("mount", ["-t", "tmpfs", "-o", "size=8m", "none", track], in: folder.url)
    try GeneratedMusic(channels: 1, rate: 8000, frames: 8000 * seconds).flac(
      folder, "music-of-\(name)/song.flac", ["--tag=TITLE=\(name)"])
    for number in 0..<copies {
      try FileManager.default.linkItem(
        atPath: track + "/song.flac", toPath: track + "/copy \(number).flac")
    }
    try Tools.run("mount", ["--move", track, point(name)], in: folder.url)
  }

  func unplug(_ name: String) throws {
    try Tools.run("umount", ["-l", point(name)], in: home.folder.url)
    try FileManager.default.removeItem(atPath: home.folder.path("sticks/\(name)"))
  }

  /// Starts the daemon with these sticks.
  func start() throws -> ServeProcess {
    try ServeProcess(home, environment: ["AUTOHARP_STICKS": home.folder.path("sticks")])
  }
}
