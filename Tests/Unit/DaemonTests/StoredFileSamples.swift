import LibraryModel
import TestKit
import UnitState

/// Typical contents of the stored files of a unit.
enum StoredFileSamples {
  static let stick = "vfat 1234-ABCD 67108864"

  static var state: UnitState {
    var state = UnitState()
    state.file = FileLocation(
      path: Array("/media/stick/Air/2.flac".utf8), folderBytes: 12, stick: (stick, 12))
    state.queue = .init(number: 7, entry: EntryID(3)!)
    state.heard = [EntryID(2)!, EntryID(300)!]
    state.preceding = FileLocation(
      path: Array("/media/stick/Air/1.flac".utf8), folderBytes: 12, stick: (stick, 12))
    state.elapsed = SongTime(milliseconds: 61_500)!
    state.repeatMode = .all
    state.shuffleMode = .items
    state.volume = 425
    state.phones = ["AA:BB:CC:DD:EE:FF", "AA:BB:CC:DD:EE:00"]
    state.controllers = ["AA:BB:CC:DD:EE:00"]
    state.firstChoice = "AA:BB:CC:DD:EE:FF"
    state.phoneSource = .init(address: "AA:BB:CC:DD:EE:FF", name: "Änn's", wasPlaying: false)
    state.shownNotices = [7, .max]
    state.cardTests = [.init(card: "HDA-Intel/HDA Intel/ALC 892", step: 448)]
    state.starts.begin(boot: "b")
    state.starts.reach(.stopped)
    state.starts.begin(boot: "b")
    state.starts.reach(.steady)
    return state
  }

  static var queue: SavedQueue {
    var queue = SavedQueue()
    queue.number = 7
    queue.context = .init(list: "album:1f", title: "Moon Safari", parent: "artist:5")
    queue.current = EntryID(3)
    queue.shuffle = .init(seed: 5)
    queue.order = [1, 0]
    queue.wishes = [EntryID(2)!: .next, EntryID(9)!: .last]
    for number in 0..<40 {
      queue.entries.append(
        .init(
          id: EntryID(number + 1),
          SongReference(
            volume: number % 5 == 0 ? "" : stick,
            path: Array("\(number % 5 == 0 ? "/music/" : "")Air/\(number).flac".utf8)),
          title: "Track \(number)", artist: number % 3 == 0 ? "" : "Air", album: "Moon Safari",
          duration: SongTime(milliseconds: 215_000 + number)!, stamp: UInt32(number) << 24,
          numberInAlbum: 1 << 16 | UInt32(number)))
    }
    return queue
  }

  static var recentLists: RecentLists {
    var lists = RecentLists()
    for number in 0..<5 {
      lists.add(
        .init(
          context: .init(list: "album:\(number)", title: "Album \(number)", parent: "albums"),
          SongReference(volume: stick, path: Array("Air/\(number).flac".utf8)),
          title: "Track \(number)",
          elapsed: SongTime(milliseconds: number * 90_000)!, heard: UInt16(number * 250)))
    }
    return lists
  }

  static func playlist(bookmark: Int? = nil, halfStars: UInt8? = nil) -> OwnPlaylist {
    OwnPlaylist(
      (0..<6).map { number in
        var entry = OwnPlaylist.Entry(
          SongReference(
            volume: stick, path: Array("Air/\(number)\(number == 3 ? "\n" : "").flac".utf8)),
          root: Array("/media/stick".utf8), title: "Track \(number)", artist: "Air",
          album: "Moon Safari", duration: SongTime(milliseconds: 215_000 + number)!)
        entry.bookmark = bookmark.flatMap { SongTime(milliseconds: $0 + number) }
        entry.opinion.halfStars = halfStars
        entry.opinion.isDisliked = halfStars != nil && number % 2 == 0
        return entry
      })
  }

  static let settings = """
    # The settings that the driver has changed on the unit.
    replay-gain = album
    skip-interval = 30 s
    key-of-a-later-version = 5

    """
}

/// Damages the contents of a file. The checksum is computed afterwards, so it is correct.
struct StoredFileMutator {
  var random: SeededRandom

  /// Extreme numbers in the encoding of a queue, in the encoding of a state, and as text.
  private static let numbers: [[UInt8]] = [
    [UInt8](repeating: 0xFF, count: 9) + [0x01], [UInt8](repeating: 0xFF, count: 8),
    [UInt8](repeating: 0xFF, count: 4), [0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [0x80], [0],
    Array("4294967295".utf8), Array("18446744073709551615".utf8), Array("-1".utf8),
    Array("nan".utf8), Array("1e99".utf8),
  ]

  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...random.below(3) {
      let offset = random.below(bytes.count)
      let length = min(random.below(random.below(2) == 0 ? 4 : 40), bytes.count - offset)
      switch random.below(6) {
      case 0: bytes[offset] = UInt8(random.below(256))
      case 1: bytes[offset] ^= 1 << UInt8(random.below(8))
      case 2: bytes.removeSubrange(offset..<offset + length)
      case 3:
        bytes.insert(contentsOf: bytes[offset..<offset + length], at: random.below(bytes.count))
      case 4:
        let number = Self.numbers[random.below(Self.numbers.count)]
        bytes.replaceSubrange(offset..<min(offset + number.count, bytes.count), with: number)
      default: bytes.insert(contentsOf: Self.numbers[random.below(Self.numbers.count)], at: offset)
      }
      if bytes.isEmpty { bytes = [0] }
    }
    return bytes
  }
}
