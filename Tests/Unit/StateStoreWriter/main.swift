// This program saves the numbers 1, 2, 3 … in the given folder until the program is killed. It prints each number after
// the number is stored on the medium. With the argument `playlists`, it saves a playlist for each number.

import Glibc
import LibraryModel
import UnitState

if CommandLine.arguments.count > 2 {
  savePlaylists()
}

let store = StateStore(folder: CommandLine.arguments[1])
guard let opening = store.opening(within: 60_000) else { exit(2) }
var number =
  opening.payload.flatMap { UInt64(String(decoding: $0.prefix { $0 != 32 }, as: UTF8.self)) } ?? 0
while true {
  number += 1
  // The length changes with each number. Some texts are longer than a sector. So an interrupted write can leave sectors
  // of the old and of the new text.
  let text = "\(number) " + String(repeating: "\(number % 10)", count: Int(number * 37 % 6000))
  store.save(Array(text.utf8))
  guard store.flush(within: 60_000) else { exit(3) }
  print(number)
  fflush(nil)
}

func savePlaylists() -> Never {
  var store = PlaylistStore(folder: CommandLine.arguments[1])
  store.load()
  var number = (try? store.read("list").entries.first?.duration.milliseconds) ?? 0
  guard let identity = PlaylistName("list")?.identity else { exit(2) }
  while true {
    number += 1
    let entries = (0..<1 + number * 37 % 300).map { index in
      OwnPlaylist.Entry(
        SongReference(volume: "stick", path: Array("folder/\(index).flac".utf8)),
        title: "song \(index)",
        duration: SongTime(milliseconds: number) ?? .zero)
    }
    guard (try? store.save(entries, as: "list", replacing: identity)) != nil else { exit(3) }
    print(number)
    fflush(nil)
  }
}
