internal import LibraryModel

extension Grammar {
  /// Commands for the playlists of the unit.
  static let playlists: [CommandSyntax] = [
    CommandSyntax(
      name: "playlist", aliases: ["playlists"], group: .music, summary: "show or edit playlists",
      details: """
        Without an argument, lists all playlists. LIST is the name of one; those of the unit can be
        edited. 'add' adds what plays, or the best hit for WORDS, and makes a new list. 'remove'
        removes song N. A list that has the song already is not changed; '--again' adds it once
        more. Put quotation marks around a name of several words if something follows.
        """,
      examples: [
        ("playlist", "all playlists"), ("playlist road trip", "its songs"),
        ("playlist add 'road trip'", "add what plays"),
        ("playlist add Work moon safari", "add the best hit"),
        ("playlist remove 3 road trip", "remove song 3"),
        ("playlist rename Work Office", "give it another name"),
        ("playlist delete road trip", "asks first; in a script, use --yes"),
      ],
      forms: [
        .init(.command(.library(.list(.playlists, nil, isWhole: false)))),
        .init([
          .required(.words(["add"])), .required(.words(["--again"])),
          .required(.name("LIST"), names: .of(.ownPlaylists)),
          .optional(.phrase("WORDS"), names: .of(.music)),
        ]) { addition(text($0[3...]), to: text($0[2...]), again: true) },
        .init([
          .required(.words(["add"])), .required(.name("LIST"), names: .of(.ownPlaylists)),
          .optional(.phrase("WORDS"), names: .of(.music)),
        ]) { addition(text($0[2...]), to: text($0[1...]), again: false) },
        .init([
          .required(.words(["remove"])), .required(.number(name: "N", 1...10_000, unit: "")),
          .required(.phrase("LIST"), names: .of(.ownPlaylists)),
        ]) { values in
          guard case .number(let number) = values[1], let list = text(values[2...]) else {
            return .nothing
          }
          return .command(.playlist(.remove(Int(number), from: list)))
        },
        .init([
          .required(.words(["rename"])), .required(.name("LIST"), names: .of(.ownPlaylists)),
          .required(.name("NAME")),
        ]) { values in
          guard let list = text(values[1...]), let name = text(values[2...]) else {
            return .nothing
          }
          return .command(.playlist(.rename(list, to: name)))
        },
        .init([
          .required(.words(["delete"])), .required(.words(["--yes"])),
          .required(.phrase("LIST"), names: .of(.ownPlaylists)),
        ]) { deletion(text($0[2...]), isConfirmed: true) },
        .init([
          .required(.words(["delete"])), .required(.phrase("LIST"), names: .of(.ownPlaylists)),
        ]) {
          deletion(text($0[1...]), isConfirmed: false)
        },
        .init([.required(.phrase("LIST"), names: .of(.entries(.playlists)))]) {
          .command(.library(.list(.playlists, text($0[...]), isWhole: false)))
        },
      ])
  ]

  private static func addition(_ words: String?, to list: String?, again: Bool) -> ConsoleLine {
    list.map { .command(.playlist(.add(words, to: $0, again: again))) } ?? .nothing
  }

  private static func deletion(_ list: String?, isConfirmed: Bool) -> ConsoleLine {
    list.map { .command(.playlist(.delete($0)), isConfirmed: isConfirmed) } ?? .nothing
  }
}
