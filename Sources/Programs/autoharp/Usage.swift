extension HelpTopic {
  /// The help text for standard output, with a newline at its end; at most 80 columns wide.
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
  autoharp plays FLAC and Ogg Vorbis: bit-exact, gapless, and honest about damage.

  Usage:
    autoharp play [OPTION]… PATH…     play files and folders
    autoharp probe [OPTION]… PATH…    tell what is in files, and if it is whole
    autoharp serve [OPTION]…          run as the head unit's daemon
    autoharp config check [FILE]…     name the wrong lines of the configuration
    autoharp config show [FILE]…      show every setting, and where it comes from
    autoharp console [COMMAND]        ask and command the head unit's daemon
    autoharp --list-outputs           list the outputs of this machine
    autoharp --version                print the version
    autoharp --help                   print this text

  Each command explains itself: 'autoharp play --help', and so on.

  Examples:
    autoharp play ~/Music/Album
    autoharp play --output hw:0,0 song.flac
    autoharp probe --verify ~/Music

  Exit status:
    0  all was played, or probed, whole
    1  something was refused, is damaged, or is not as its header says; or there
       was no music, or a line of the configuration is wrong; or the output could
       not be written
    2  the command line could not be understood
    3  console: the daemon does not answer

  """

private let playHelp = """
  Usage: autoharp play [OPTION]… PATH…

  Plays files, and folders with everything below them: in the order of their track
  numbers, then of their names. What is named twice plays twice. On a terminal it
  shows what is playing and takes keys; into a pipe or a file, or in the
  background, it writes one plain line per event.

  In all folders together 100000 files are looked into, 64 folders deep; what is
  left out for that is said.

  Options:
    --output NAME      where the sound goes (default: default)
                         NAME      an ALSA PCM, see --list-outputs
                         wav:FILE  a WAV file, written as fast as it can be; if
                                   the format changes, a numbered one follows
                         null      nowhere, in real time
                       Without this option, where default cannot be opened, it
                       plays silently, in real time, and says why.
    --buffer MS        how much sound the output is given ahead, 5 to 2000 ms, in
                       whole periods (default: two on a sound card, else 50 ms)
    --period FRAMES    how many frames go to the output at a time, 16 to 16384
                       (default: 256 on a sound card, else 512)
    --rate HZ          keep the output at this rate and in stereo, 8000 to 384000:
                       everything is converted, and any two tracks join without
                       a gap (default: the output follows each track)
    --amplifier WHAT   mute the amplifier while the output starts and stops, so
                       that nothing thumps
                         switch:CARD,ELEMENT    a mixer's switch, as in
                                                switch:hw:0,Master
                         gpio:CHIP,LINE[,active-low]  a line, as in
                                                gpio:gpiochip0,17
                         gpio:NAME[,active-low] a line by its name
    --gain DB          change of level, -60 to +12 dB (default: 0, bit-exact)
    --replaygain MODE  level by the files' ReplayGain or R128 tags: off, track or
                       album (default: off)
    --start TIME       where in the first track to begin: 90 (seconds), 1:30 or
                       1:02:03.5 (default: 0)
    --repeat           begin again after the last track
    --shuffle          play in random order
    --chime FILE       what the key c plays over the music
    --trace            say of the start and of each key when it was received, and
                       when what it changed was handed to the output, and heard
    --list-outputs     list the outputs of this machine and exit
    --version          print the version and exit
    -h, --help         print this text and exit
    --                 what follows is a path, whatever it looks like

  An option's value may follow it or be joined to it: --gain -3, --gain=-3.

  Keys:
    space  pause, play on      ← →  15 seconds back, ahead
    n      next track          + -  louder, quieter
    p      previous track      r    repeat: off, all, one
    q      quit (or Ctrl-C)    s    shuffle on, off
    m      mute on, off        c    chime, with --chime

  Environment:
    NO_COLOR           if set and not empty, the view has no colours
    TERM               if 'dumb', there are plain lines and no keys

  Examples:
    autoharp play ~/Music/Album
    autoharp play --output hw:0,0 --buffer 100 song.flac
    autoharp play --output wav:check.wav song.flac
    autoharp play --shuffle --repeat --replaygain track ~/Music

  Exit status:
    0  all was played whole, or you ended it (q, Ctrl-C, SIGTERM)
    1  something was refused, is damaged, or is not as its header says; or there
       was no music, or no output. A damaged tag is told, and is no failure.
    2  the command line could not be understood

  """

private let probeHelp = """
  Usage: autoharp probe [OPTION]… PATH…

  Tells what is in files, and in folders with everything below them: container,
  codec, sample rate, bits, channels, length, tags, pictures, ReplayGain, MD5.
  In the order given; in a folder, in playing order, and then what was refused.

  In all folders together 100000 files are looked into, 64 folders deep; what is
  left out for that is said. The text lists 200 tags of a file, JSON all.

  Options:
    --json        write JSON, one array with an object per file; what was refused
                  has an "error"
    --verify      decode everything too: is it whole (by MD5 for FLAC), where is
                  it damaged, how many times faster than real time did it decode
    --version     print the version and exit
    -h, --help    print this text and exit
    --            what follows is a path, whatever it looks like

  Examples:
    autoharp probe song.flac
    autoharp probe --verify ~/Music
    autoharp probe --json ~/Music > music.json

  Exit status:
    0  all files could be read; with --verify, all are whole
    1  something was refused, is damaged, or is not as its header says; or there
       was no music; or the output could not be written
    2  the command line could not be understood
  A signal ends it at once, as any program that does not catch it; the shell shows
  130 for Ctrl-C, 143 for SIGTERM, and 141 where the output has no reader.

  """

private let serveHelp = """
  Usage: autoharp serve [OPTION]…

  Runs as the head unit: plays the music in its folders, goes on where it was
  left, remembers that over power cuts, and is asked and commanded on its control
  socket by 'autoharp console'. Stops on SIGTERM with a fade; SIGHUP reads the
  configuration again. Under systemd it tells when it is ready and feeds the
  watchdog while the sound goes on.

  Options:
    --config FILE  this configuration instead of /etc/autoharp.conf and
                   /data/autoharp.conf; more than one override each other
    --socket PATH  the control socket, whatever the configuration says
    --version      print the version and exit
    -h, --help     print this text and exit

  Examples:
    autoharp serve
    autoharp serve --config my.conf --socket /tmp/autoharp

  Exit status:
    0  it was asked to stop
    1  it could not begin
    2  the command line could not be understood

  """

private let configHelp = """
  Usage: autoharp config check [FILE]…
         autoharp config show [FILE]…

  The configuration of the head unit: /etc/autoharp.conf, which is shipped and
  names every key with its default and its reason, and /data/autoharp.conf, which
  overrides it key by key. With FILEs, these instead, the last one counting.

  check names each line that is wrong, why, and what is used instead. show prints
  every key with the value that counts, and in brackets where that comes from.
  Nothing is changed. A file that is missing is no error unless it was named.

  Options:
    --version     print the version and exit
    -h, --help    print this text and exit
    --            what follows is a file, whatever it looks like

  Examples:
    autoharp config check
    autoharp config check new.conf
    autoharp config show

  Exit status:
    0  nothing is wrong
    1  a line is wrong, or a file cannot be read; or the output could not be
       written
    2  the command line could not be understood

  """

private let consoleHelp = """
  Usage: autoharp console [OPTION]… [COMMAND [WORD]…]

  Asks and commands the daemon of the head unit. With a COMMAND it carries that
  out and returns; without one it shows a prompt on a terminal, or takes lines
  from a pipe. The command 'help' lists all commands.

  Options:
    --json           write JSON: one text per reply, and per event
    --socket PATH    where the daemon listens (default: /run/autoharp/control)
    --history PATH   keep the lines given at the prompt in this file
    --version        print the version and exit
    -h, --help       print this text and exit

  They come before the COMMAND.

  Environment:
    TERM             if 'dumb', lines are read as they are and nothing is drawn
    NO_COLOR         if set and not empty, replies have no colours
    LC_ALL, LC_CTYPE, LANG
                     the first that is set says if text beyond ASCII is shown

  Examples:
    autoharp console
    autoharp console status
    autoharp console --json now
    autoharp console seek +15
    autoharp console poweroff --yes

  Exit status:
    0  done, and all is well; or you left the prompt
    1  something was refused, or is not well
    2  the command line, or a command, could not be understood
    3  the daemon does not answer: it is dead, hangs, or cannot be reached
  Of several lines from a pipe the highest counts.

  """
