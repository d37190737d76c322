/// The tables of the library.
///
/// The database is a cache: if the schema changes, the database is removed and created again. The ids of artists
/// (`person`), albums and genres are computed from their names (``ContentID``), so these ids stay valid. Names of files
/// are stored as bytes. The columns `sortkey` contain the bytes of a `SortKey`.
enum LibrarySchema {
  /// The version of the schema. It is increased with each change of the tables or of the values in them.
  static let version: Int64 = 10

  static let tables = """
    CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;

    -- Where music is: a stick, or a folder of the unit. `id` is the number of a bit in `volumes`. `seen` is the
    -- number of the last start of the program in which the volume was there. A start in which the same volumes are
    -- there as in the start before has the same number, so that it writes nothing.
    CREATE TABLE volume(
      id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, label TEXT NOT NULL,
      seen INTEGER NOT NULL);

    -- The folder of a volume itself has the parent 0 and no name.
    CREATE TABLE folder(
      id INTEGER PRIMARY KEY, volume INTEGER NOT NULL, parent INTEGER NOT NULL,
      name BLOB NOT NULL, sortkey BLOB NOT NULL, shown TEXT NOT NULL);
    CREATE INDEX folder_order ON folder(parent, sortkey, id);

    -- All files that were examined, so that a file that is not music is not read again. `state` is a
    -- FileState. `audio` identifies the sound, and `releasetrack` the track of a release in MusicBrainz. Of a file that
    -- cannot be played, `codec` is the cause.
    CREATE TABLE file(
      id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, name BLOB NOT NULL,
      sortkey BLOB NOT NULL, size INTEGER NOT NULL, seconds INTEGER NOT NULL,
      nanoseconds INTEGER NOT NULL, state INTEGER NOT NULL, audio INTEGER, codec TEXT,
      milliseconds INTEGER, problem TEXT, releasetrack INTEGER);
    CREATE INDEX file_order ON file(folder, sortkey, id);
    CREATE INDEX file_audio ON file(audio) WHERE audio IS NOT NULL;
    CREATE INDEX file_releasetrack ON file(releasetrack) WHERE releasetrack IS NOT NULL;

    -- The paths of files that are gone, with the same two numbers. `place` is computed from the volume and the path.
    CREATE TABLE former(
      id INTEGER PRIMARY KEY, place INTEGER NOT NULL UNIQUE, audio INTEGER, releasetrack INTEGER);

    -- Files that have stopped the program while it read them: see HarmfulFile. `volume` is an identity, because the row of
    -- a new volume may be gone with the program.
    CREATE TABLE harmful(
      id INTEGER PRIMARY KEY, volume TEXT NOT NULL, path BLOB NOT NULL, stamp INTEGER NOT NULL,
      stops INTEGER NOT NULL, UNIQUE(volume, path));

    -- The tags that decide to which album a track belongs. `folder` is the folder of the album. Several
    -- values in one text are separated by a zero character.
    CREATE TABLE grouping(
      id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, title TEXT, artists TEXT, release TEXT,
      compilation INTEGER NOT NULL, sorttitle TEXT, sortartist TEXT);
    CREATE INDEX grouping_folder ON grouping(folder, title);

    -- The lowest 40 bits of the id are the id of the file. Now each file has one track. `start` and `end`
    -- are for files with several tracks.
    CREATE TABLE track(
      id INTEGER PRIMARY KEY, start INTEGER, end INTEGER,
      grouping INTEGER NOT NULL, album INTEGER, title TEXT NOT NULL, sortkey BLOB NOT NULL,
      artists TEXT, genres TEXT, disc INTEGER NOT NULL, number INTEGER NOT NULL,
      year INTEGER NOT NULL, milliseconds INTEGER NOT NULL, volume INTEGER NOT NULL);
    CREATE INDEX track_order ON track(sortkey, id);
    CREATE INDEX track_album ON track(album, disc, number, id) WHERE album IS NOT NULL;

    -- `volumes` has a bit for each volume with a track of the album. `added` is the order of arrival.
    CREATE TABLE album(
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, sortkey BLOB NOT NULL, artist TEXT,
      various INTEGER NOT NULL, year INTEGER NOT NULL, tracks INTEGER NOT NULL,
      milliseconds INTEGER NOT NULL, volumes INTEGER NOT NULL, added INTEGER NOT NULL);
    CREATE INDEX album_order ON album(sortkey, id);
    CREATE INDEX album_added ON album(added, id);

    -- `listed` is 1 if the list of artists contains the person. `volumes` has a bit for each volume with a song of
    -- the person.
    CREATE TABLE person(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, sortkey BLOB NOT NULL,
      albums INTEGER NOT NULL, listed INTEGER NOT NULL, volumes INTEGER NOT NULL);
    CREATE INDEX person_order ON person(sortkey, id) WHERE listed > 0;
    CREATE TABLE album_person(
      album INTEGER NOT NULL, person INTEGER NOT NULL, PRIMARY KEY(album, person)) WITHOUT ROWID;
    CREATE INDEX album_person_person ON album_person(person);
    -- The persons of `track.artists`.
    CREATE TABLE credit(
      person INTEGER NOT NULL, track INTEGER NOT NULL, PRIMARY KEY(person, track)) WITHOUT ROWID;

    CREATE TABLE genre(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, sortkey BLOB NOT NULL,
      albums INTEGER NOT NULL, volumes INTEGER NOT NULL);
    CREATE INDEX genre_order ON genre(sortkey, id) WHERE albums > 0;
    -- The genres of `track.genres` of all tracks of an album.
    CREATE TABLE album_genre(
      genre INTEGER NOT NULL, album INTEGER NOT NULL, PRIMARY KEY(genre, album)) WITHOUT ROWID;
    CREATE INDEX album_genre_album ON album_genre(album);

    -- The id is that of the file. `path` has the names with slashes; `relative` is 1 if they begin in the
    -- folder of the playlist. `track` is NULL while the file is not found.
    CREATE TABLE playlist(
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, sortkey BLOB NOT NULL,
      entries INTEGER NOT NULL, volume INTEGER NOT NULL);
    CREATE INDEX playlist_order ON playlist(sortkey, id);
    CREATE TABLE entry(
      playlist INTEGER NOT NULL, position INTEGER NOT NULL, relative INTEGER NOT NULL,
      path TEXT NOT NULL, title TEXT, track INTEGER,
      PRIMARY KEY(playlist, position)) WITHOUT ROWID;
    -- The entries of a playlist with the same song.
    CREATE INDEX entry_track ON entry(playlist, track) WHERE track IS NOT NULL;

    -- The index of words. Its rows have no content, and are not removed one by one: `place` says to
    -- which entry a row belongs. The rows of a kind are in the order of the sort keys after
    -- `WordIndex.rebuild`. Only the digits need an index of prefixes: a word in text is found in
    -- 3 ms without it, the first key of a word in 100 ms. The words are folded and divided by spaces
    -- already, so the simplest tokenizer is enough.
    CREATE TABLE place(id INTEGER PRIMARY KEY, entry INTEGER NOT NULL);
    CREATE VIRTUAL TABLE words USING fts5(
      text, content='', columnsize=0, tokenize='ascii', prefix='1 2');
    CREATE VIRTUAL TABLE digits USING fts5(
      text, content='', columnsize=0, tokenize='ascii', prefix='1 2 3 4');
    -- The name of each entry as one word, with the same row ids: see WholeName.
    CREATE VIRTUAL TABLE wholes USING fts5(
      text, content='', columnsize=0, detail=none, tokenize='ascii');
    -- The bytes of new words that FTS5 keeps in memory before it writes them. The default is 1 MiB for each table, and
    -- many short words need twice as much.
    INSERT INTO words(words, rank) VALUES('hashsize', 262144);
    INSERT INTO digits(digits, rank) VALUES('hashsize', 262144);
    INSERT INTO wholes(wholes, rank) VALUES('hashsize', 262144);
    """
}

/// The state of a file in the library.
enum FileState: Int64 {
  /// The file must be read again, for example because it has changed. Until then, the library can still contain its old
  /// track.
  case changed = -1
  /// The file was not read yet.
  case unread = 0
  case music = 1
  /// The file is not music, for example a picture.
  case other = 2
  /// The file is named like a music file, but cannot be played.
  case problem = 3
  case playlist = 4
}
