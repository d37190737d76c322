let helpText = """
  Maintains the library: a database about the music in folders and on sticks.

  usage: autoharp-library scan FOLDER...
           brings the library up to date with these folders
         autoharp-library list [LIST]
           prints a page of a list: artists, albums, recent, songs, genres,
           playlists, folders, or the name in brackets after a row
         autoharp-library find WORDS...
           searches for the beginnings of words in names
         autoharp-library find --keys DIGITS
           the same with the keys of a telephone: 2 is A, B or C; 0 is a space
         autoharp-library serve
           scans and answers for the daemon, which starts this program

  options:
    --database FOLDER  the folder of the database
                       (default: autoharp/library in $XDG_CACHE_HOME or ~/.cache)
    --letters          prints the headings of a list, with numbers of rows
    --under HEADING    only the rows or headings under this heading: S, St
    --rows N           rows of a page, 1 to 100 (default: 24)
    --from CURSOR      begins where an earlier page has ended (see 'next page')
    --socket PATH      serve: the daemon's socket (default: the one that the
                       service manager has connected)
    --runtime FOLDER   serve: a folder in memory (default: the database's)
    --config FILE      serve: a file of the configuration, instead of the
                       standard files
    --background       serve: lowers the priority of the process
    --help             prints this text

  The library is a cache. If you delete the folder, the next scan creates it
  again.

  """
