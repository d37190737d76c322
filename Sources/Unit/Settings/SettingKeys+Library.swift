extension SettingKey {
  static let library = [
    SettingKey(
      "library", \.isLibraryOn, .yesOrNo, effect: .restart,
      """
      Whether the unit keeps a library of the music: albums, artists, search. A program of its own \
      reads the tags of all files. Without it, the unit plays the folders in their order.
      """),
    SettingKey(
      "library-folder", \.libraryFolder, ValueFormat.path().orNone("empty for the default"),
      effect: .restart,
      """
      The folder of the library's database, if the daemon starts the library itself. The default is \
      autoharp/library in the cache folder of the user. In the image, the library is a service, \
      and its database is in /data/library.
      """),
    SettingKey(
      "library-articles", \.libraryArticles, .articles, effect: .restart,
      """
      The languages whose articles do not count in the order of names: with 'en', 'The Beatles' \
      are under B. With 'auto', English and the language of the screen count. With 'none', all \
      articles count. After a change the unit makes the library again. So an absent stick is not in \
      the lists until it is plugged in, and all albums count as new.
      """),
  ]
}
