import Foundation
import Reports
import TestKit
import Testing

/// Tab on the console, with a running daemon and a library.
@Suite struct NameCompletionTests {
  @Test func tab_completesNamesOfTheLibrary() throws {
    let home = try ServeProcess.Home()
    try home.configure(["library = yes", "library-folder = \(home.folder.path("library"))"])
    try FileManager.default.createDirectory(
      atPath: home.folder.path("music/rock"), withIntermediateDirectories: true)
    let template = try TaggedFLAC(home.folder)
    for number in 1...3 {
      let tags = ["TITLE=Sexy Boy \(number)", "ALBUM=Moon Safari", "ARTIST=Björk"]
      try home.folder.write(
        "music/rock/\(number).flac", template.file(tags, sound: UInt32(number)))
    }
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .musicFound) != nil, "\(daemon.log)")
    let console = try ConsoleTerminal(home)
    // The music that was found may not be in the queue yet, and an empty queue cannot be saved. So the test first plays
    // an album.
    _ = try console.ask("play Moon Safari")
    #expect(daemon.waits(for: .trackStarted) != nil, "\(daemon.log)")
    #expect(try console.ask("queue save Road trip") == ["autoharp> queue save Road trip"])
    for (typed, shown) in [
      ("play moon", "play moon Safari"), ("find sexy", "find sexy Boy"),
      ("artists bjo", "artists bjork"),
      ("albums m", "albums moon Safari"), ("folders mu", "folders music/"),
      ("folders music/r", "folders music/rock/"), ("browse songs se", "browse songs sexy Boy"),
      ("playlist ro", "playlist road trip"), ("queue save ro", "queue save road trip"),
      ("playlist add ro", "playlist add road\\ trip"),
    ] {
      #expect(console.completes(typed, to: shown), "\(typed)")
    }
    #expect(console.ends("quit\r"))
    #expect(daemon.end() == 0)
  }
}
