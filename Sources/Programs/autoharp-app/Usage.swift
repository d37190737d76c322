let helpText = """
  autoharp-app makes a source of a program that writes sound to its standard
  output.

  Usage:
    autoharp-app --id ID --name NAME [OPTION]… -- PROGRAM [ARGUMENT]…

  The unit plays the sound. If the unit is away, the program waits for it. The
  control socket is $AUTOHARP_SOCKET, or /run/autoharp/control.

  Options:
    --id ID            identity: small letters, digits and -
    --name NAME        name for people
    --format FORMAT    samples, rate and channels of the sound (default:
                       s16:44100:2). Samples are s16, s24 (three bytes), s32 or
                       f32, little endian
    --kind track|live  track (default): the unit takes the sound as it plays it.
                       live: PROGRAM has a clock of its own, as a tuner
    --start now|play   starts PROGRAM at once (default), or at the first play,
                       and then ends it at stop
    --restart no|failure|always
                       whether PROGRAM is started again when it ends: if its
                       status is not 0 (default), always, or no, which also ends
                       autoharp-app
    --commands NAMES   commands that PROGRAM understands, as in next,previous:
                       play, pause, stop, next, previous, skipForward,
                       skipBackward, seekForward, seekBackward, seek,
                       changeRepeatMode, changeShuffleMode, stars, like,
                       dislike, bookmark. PROGRAM reads them as lines of JSON
                       from its standard input
    --help             prints this text

  PROGRAM writes titles, covers and answers as lines of JSON to descriptor 3:
  see docs/sources.md.

  Exit status:
    0    SIGTERM or SIGINT has ended the program
    1    the event loop has failed
    2    the command line is invalid
    126  PROGRAM cannot be started, with --restart no
    127  PROGRAM was not found
    With --restart no, the status of PROGRAM; 128 and the number of the signal
    if a signal has ended it.

  """
