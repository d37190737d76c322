extension HelpTopic {
  /// The help text for standard output. It ends with a newline and is at most 80 columns wide.
  var text: String {
    switch self {
    case .main: mainHelp
    case .play: playHelp
    case .probe: probeHelp
    case .serve: serveHelp
    case .config: configHelp
    case .console: consoleHelp
    }
  }
}

private let mainHelp = """
  autoharp plays MP3, FLAC, Ogg Vorbis, Opus, WAV and AIFF exactly and
  gapless, and reports damage.

  Usage:
    autoharp play [OPTION]… PATH…     play files and folders
    autoharp play --library NAME      play music of the library
    autoharp probe [OPTION]… PATH…    show the contents of files, and check them
    autoharp serve [OPTION]…          run as the head unit's daemon
    autoharp config check [FILE]…     list the wrong lines of the configuration
    autoharp config show [FILE]…      show each setting and its source
    autoharp console [COMMAND]        query and control the head unit's daemon
    autoharp --list-outputs           list the outputs of this machine
    autoharp --version                print the version
    autoharp --help                   print this text

  Each command has a help text of its own, for example 'autoharp play --help'.

  Examples:
    autoharp play ~/Music/Album
    autoharp play --output hw:0,0 song.flac
    autoharp probe --verify ~/Music

  Exit status:
    0  all files were played or probed without an error
    1  a file was refused, is damaged or differs from its header; or there was no
       music; or a line of the configuration is wrong; or the output could not be
       written
    2  the command line is not valid
    3  console: the daemon does not answer

  """

private let playHelp = """
  Usage: autoharp play [OPTION]… PATH…
         autoharp play [OPTION]… --library NAME

  Plays files, and folders with all files below them: in the order of their track
  numbers, then of their names. A path that is given twice plays twice. On a
  terminal it shows the track and accepts keys. With a pipe or a file as output,
  or in the background, it writes one plain line per event.

  It examines at most 100000 files in all folders together, and folders up to a
  depth of 64. It reports when it reaches a limit.

  With --library, it plays the artist, album, song or playlist with this name. It
  starts the program autoharp-library, which keeps what it knows about the music
  folders in autoharp/library in $XDG_CACHE_HOME or ~/.cache. The first start
  reads all files. If nothing has this name, it asks for the most similar one.

  Options:
    --library          the arguments are the name of music, such as moon safari,
                       or a list, such as songs
    --config FILE      with --library: a configuration file with 'music-folder',
                       instead of the standard ones; may be given several times
    --output NAME      the output (default: default)
                         NAME      an ALSA PCM, see --list-outputs
                         wav:FILE  a WAV file, written as fast as possible; if
                                   the format changes, a numbered file follows
                         null      no output, in real time
                       Without this option, if 'default' cannot be opened, it
                       plays without sound in real time and reports the reason.
    --latency HOW      how the output reacts at once (default: auto)
                         rewind   a deep buffer that is rewritten, if the output
                                  supports this
                         periods  a short buffer
                         auto     rewind for a sound card, else periods
    --buffer MS        size of the output buffer, 5 to 2000 ms, in whole periods
                       (default: two periods on a sound card, else 50 ms); a
                       buffer that is rewritten has 500 ms or more (default: 1 s)
    --period FRAMES    frames per period, 16 to 16384
                       (default: 256 on a sound card, else 512)
    --rate HZ          keep the output at this rate and in stereo, 8000 to 384000:
                       all tracks are converted and join without a gap
                       (default: the output uses the rate of each track)
    --amplifier WHAT   mute the amplifier while the output starts and stops, to
                       prevent clicks
                         switch:CARD,ELEMENT    a switch of a mixer, for example
                                                switch:hw:0,Master
                         gpio:CHIP,LINE[,active-low]  a GPIO line, for example
                                                gpio:gpiochip0,17
                         gpio:NAME[,active-low] a GPIO line by its name
    --gain DB          change of level, -60 to +12 dB (default: 0, bit-exact)
    --replaygain MODE  level by the files' ReplayGain or R128 tags: off, track,
                       album, or auto, which is track with --shuffle and else
                       album (default: off). Files without these tags: -7 dB
    --start TIME       position in the first track: 90 (seconds), 1:30 or
                       1:02:03.5 (default: 0)
    --repeat           start again after the last track
    --shuffle          play in random order
    --chime FILE       the sound that the key c plays over the music
    --trace            for the start and each key, print when it was received,
                       when its change reached the output, and when it was heard
    --list-outputs     list the outputs of this machine and exit
    --version          print the version and exit
    -h, --help         print this text and exit
    --                 all following arguments are paths

  The value of an option follows after a space or after '=': --gain -3, --gain=-3.

  Keys:
    \(PlayKey.lines.joined(separator: "\n    "))

  Environment:
    NO_COLOR           if set and not empty, the view has no colours
    TERM               if 'dumb', it writes plain lines and accepts no keys

  Examples:
    autoharp play ~/Music/Album
    autoharp play --output hw:0,0 --buffer 100 song.flac
    autoharp play --output wav:check.wav song.flac
    autoharp play --shuffle --repeat --replaygain track ~/Music
    autoharp play --library moon safari

  Exit status:
    0  all files were played to their end, or you ended it (q, Ctrl-C, SIGTERM)
    1  a file was refused, is damaged or differs from its header; or there was no
       music, no library or no output. A damaged tag is reported, but does not
       change the exit status
    2  the command line is not valid

  """

private let probeHelp = """
  Usage: autoharp probe [OPTION]… PATH…

  Shows the contents of files, and of folders with all files below them:
  container, codec, sample rate, bits, channels, length, tags, pictures,
  ReplayGain, MD5.
  The order is that of the arguments; in a folder, the playing order, followed by
  the refused files.

  It examines at most 100000 files in all folders together, and folders up to a
  depth of 64. It reports when it reaches a limit. The text lists at most 200 tags
  of a file; JSON lists all.

  Options:
    --json        write JSON: one array with an object per file; a refused file
                  has an "error"
    --verify      also decode all samples: compare the MD5 (FLAC), list damaged
                  places, show the decoding speed as a multiple of real time
    --version     print the version and exit
    -h, --help    print this text and exit
    --            all following arguments are paths

  Examples:
    autoharp probe song.flac
    autoharp probe --verify ~/Music
    autoharp probe --json ~/Music > music.json

  Exit status:
    0  all files could be read; with --verify, all are without damage
    1  a file was refused, is damaged or differs from its header; or there was no
       music; or the output could not be written
    2  the command line is not valid
  A signal ends the program at once. The shell then shows 130 for Ctrl-C, 143 for
  SIGTERM, and 141 if the reader of the output has ended.

  """

private let serveHelp = """
  Usage: autoharp serve [OPTION]…

  Runs as the daemon of the head unit. It plays the music of its folders,
  continues at the last position, and keeps its state over power cuts.
  'autoharp console' queries and controls it through its control socket. SIGTERM
  ends it with a fade; SIGHUP makes it read the configuration again. It reports to
  systemd when it is ready, and notifies the watchdog while the output makes
  progress.

  Options:
    --config FILE  use this configuration instead of /etc/autoharp.conf,
                   /run/boot/autoharp.conf and /data/autoharp.conf; if given more
                   than once, a later file overrides an earlier file
    --socket PATH  the control socket; overrides the configuration
    --version      print the version and exit
    -h, --help     print this text and exit

  Examples:
    autoharp serve
    autoharp serve --config my.conf --socket /tmp/autoharp

  Exit status:
    0  a signal ended the daemon
    1  the daemon could not start, or another one already serves the socket
    2  the command line is not valid

  """

private let configHelp = """
  Usage: autoharp config check [FILE]…
         autoharp config show [FILE]…

  The configuration of the head unit consists of three files. A later file
  overrides an earlier file:

    /etc/autoharp.conf       is shipped; has each key with its default and reason
    /run/boot/autoharp.conf  a copy of autoharp.conf on the boot partition, made
                             at the start
    /data/autoharp.conf      has the settings of the unit's owner

  With FILEs, the command reads these files instead.

  check lists each wrong line, the reason, and the value that is used instead.
  show prints each key with its value, and the source of the value in brackets.
  The commands only read. A missing file is an error only if you named it.

  Options:
    --version     print the version and exit
    -h, --help    print this text and exit
    --            all following arguments are files

  Examples:
    autoharp config check
    autoharp config check new.conf
    autoharp config show

  Exit status:
    0  all lines are valid
    1  a line is wrong, or a file cannot be read; or the output could not be
       written
    2  the command line is not valid

  """

private let consoleHelp = """
  Usage: autoharp console [OPTION]… [COMMAND [WORD]…]

  Queries and controls the daemon of the head unit. With a COMMAND it executes the
  command and ends. Without one it shows a prompt on a terminal, or reads lines
  from a pipe. The command 'help' lists all commands.

  Options:
    --json           write JSON: one text per reply, and per event
    --socket PATH    the daemon's socket (default: $AUTOHARP_SOCKET, or else
                     /run/autoharp/control)
    --history PATH   keep the history of the prompt in this file
    --end-on-interrupt
                     Ctrl-C ends the prompt if no command runs
    --version        print the version and exit
    -h, --help       print this text and exit

  Write the options before the COMMAND.

  Environment:
    TERM             if 'dumb', the prompt has no line editing
    NO_COLOR         if set and not empty, replies have no colours
    LC_ALL, LC_CTYPE, LANG
                     the first that is not empty decides whether output may
                     contain characters outside ASCII

  Examples:
    autoharp console
    autoharp console status
    autoharp console --json now
    autoharp console seek +15
    autoharp console poweroff --yes

  Exit status:
    0  the command was executed and found no fault; or you left the prompt
    1  a command was refused, or found a fault
    2  the command line or a command is not valid
    3  the daemon does not answer: it has ended, hangs, or cannot be reached
  For several lines from a pipe, the exit status is the highest one.

  """
