internal import LibraryModel

extension Grammar {
  /// Commands for the library.
  static let library: [CommandSyntax] = [
    CommandSyntax(
      name: "library", group: .music, summary: "sources of music, scans",
      details: """
        Without an argument, shows the sources and how many songs they have. 'scan' looks for new and
        changed files, 'read' reads all files again, 'forget' removes an absent stick. SOURCE is a
        name, or a unique beginning of it. 'check' lists what is doubtful: albums that are divided,
        songs without tags, entries of playlists without a file, and names for sorting that differ.
        """,
      examples: [
        ("library", "sources and songs"), ("library scan", "look for new files in all sources"),
        ("library forget CAR", "remove the songs of the stick CAR"),
        ("library check", "doubtful tags and playlists"),
      ],
      forms: [
        .init(.command(.library(.show))),
        .init([.required(.words(["check"]))]) { _ in .command(.library(.check)) },
        .init([.required(.words(["scan"])), .optional(.phrase("SOURCE"), names: .of(.sources))]) {
          values in
          .command(.library(.scan(text(values.dropFirst()))))
        },
        .init([
          .required(.words(["read", "forget"])), .required(.phrase("SOURCE"), names: .of(.sources)),
        ]) { values in
          guard let source = text(values.dropFirst()) else { return .nothing }
          return .command(
            .library(values[0] == .word("read") ? .readAnew(source) : .forget(source)))
        },
      ]),
    CommandSyntax(
      name: "source", group: .music, summary: "play a stick, phone or app",
      details: """
        Continues a stick or a folder at its last position. The unit connects a phone if necessary.
        It tells phones and apps to play. SOURCE is a name that 'library' shows.
        """,
      examples: [("source car", "play the stick CAR"), ("source pixel", "play the phone Pixel")],
      forms: [
        .init([.required(.phrase("SOURCE"), names: .of(.sources))]) { values in
          text(values[...]).map { .command(.library(.choose($0))) } ?? .nothing
        }
      ]),
    CommandSyntax(
      name: "recent", group: .music, summary: "recently played lists",
      details: "With N, continues the list of row N at its last position.",
      examples: [("recent", "the lists, the latest first"), ("recent 1", "play the latest one")],
      forms: [
        .init([.optional(.number(name: "N", 1...16, unit: ""))]) { values in
          guard case .number(let number)? = values.first else { return .command(.library(.recent)) }
          return .command(.library(.resume(Int(number))))
        }
      ]),
    list("artists", "artists, albums of one", .artists, example: "air"),
    list("albums", "albums, songs of one", .albums, example: "moon safari"),
    CommandSyntax(
      name: "folders", group: .music, summary: "folders and their files",
      details: "PATH begins with a source, with '/' between the names.",
      examples: [("folders", "all sources"), ("folders car/rock", "a folder of the stick CAR")],
      forms: [
        .init([.optional(.phrase("PATH"), names: .of(.folders))]) {
          .command(.library(.folders(text($0[...]))))
        }
      ]),
    CommandSyntax(
      name: "browse", group: .music, summary: "any list of the library",
      details: """
        LIST is \(lists.listed). With letters, shows the rows below these letters; with a name, the
        list of this entry. With --all, shows all rows.
        """,
      examples: [
        ("browse genres", "all genres"), ("browse songs st", "songs that begin with St"),
        ("browse playlists road trip", "the songs of a playlist"),
      ],
      forms: [
        .init([.required(.words(lists)), .required(.words(["--all"]))]) {
          .command(.library(.list(node($0[0]), nil, isWhole: true)))
        },
        .init([
          .required(.words(lists)), .optional(.phrase("NAME"), names: .entriesOfList),
        ]) {
          .command(.library(.list(node($0[0]), text($0.dropFirst()), isWhole: false)))
        },
      ]),
    CommandSyntax(
      name: "find", aliases: ["search"], group: .music, summary: "search in the library",
      details: "Finds names in which each of the words begins a word, without case and accents.",
      examples: [("find moon", "artists, albums, songs"), ("find sig ros", "Sigur Rós")],
      forms: [
        .init([.required(.phrase("WORDS"), names: .of(.music))]) { values in
          text(values[...]).map { .command(.library(.find($0))) } ?? .nothing
        }
      ]),
  ]

  private static let lists = [
    "artists", "albums", "recent", "songs", "genres", "playlists", "folders",
  ]

  private static func node(_ value: CommandSyntax.Value) -> LibraryNode {
    guard case .word(let word) = value else { return .artists }
    return LibraryNode(text: word) ?? .artists
  }

  private static func list(
    _ name: String, _ summary: String, _ node: LibraryNode, example: String
  ) -> CommandSyntax {
    CommandSyntax(
      name: name, group: .music, summary: summary,
      details: """
        A long list begins with its letters. With letters, shows the rows below them; with a name,
        the list of this entry. With --all, shows all rows.
        """,
      examples: [
        (name, "letters, or all rows"), ("\(name) st", "rows that begin with St"),
        ("\(name) \(example)", "one of them"),
      ],
      forms: [
        .init([.required(.words(["--all"]))]) { _ in
          .command(.library(.list(node, nil, isWhole: true)))
        },
        .init([.optional(.phrase("NAME"), names: .of(.entries(node)))]) {
          .command(.library(.list(node, text($0[...]), isWhole: false)))
        },
      ])
  }

  static func text(_ values: ArraySlice<CommandSyntax.Value>) -> String? {
    if case .text(let text)? = values.first { text } else { nil }
  }
}
