let helpText = """
  autoharp-screen shows what plays, and takes touches.

  Usage:
    autoharp-screen [--socket PATH] [--config FILE]… [--window WxH]
    autoharp-screen --png FILE [--socket PATH] [OPTION]…
    autoharp-screen --png FILE --state NAME|FILE [OPTION]…
    autoharp-screen --save-state FILE [--socket PATH]
    autoharp-screen --scene [--state NAME] [OPTION]…
    autoharp-screen --sheet FILE
    autoharp-screen --overview FILE
    autoharp-screen --list-states
    autoharp-screen --bench

  Without any of these it shows what plays until it is asked to stop, and waits
  for daemon and display where they are not there.

  What to do:
    --png FILE         paint what a unit shows, or with --state a made state or
                       one that was saved, into a PNG file
    --save-state FILE  save the state of a unit, to be painted later
    --scene            write one state as text: what stands where, and what a
                       tap there asks for
    --sheet FILE       paint all states into one PNG file
    --overview FILE    paint the states that say most, small: docs/screens.png
    --list-states      list the states
    --bench            measure painting at several sizes
    --help             print this text

  Options:
    --socket PATH      the daemon's (default: as configured)
    --config FILE      instead of /etc/autoharp.conf and /data/autoharp.conf;
                       more than one: the last one counts
    --scripted WxH     for tests: no display, and lines on standard input for
                       fingers
    --state NAME       which state (for --scene: playing); a name with a dot or a
                       slash is a file's
    --window WxH       show what plays in a window on the desktop (needs SDL 2),
                       not on the machine's panel
    --size WxH         of the screen in pixels (default: 800x480)
    --diagonal INCHES  of the screen (default: 7)
    --night, --day     which light (default: night)
    --language TAG     of the screen's own words: en, de, fr, ar, he
    --text-scale N     larger or smaller letters, 0.85 to 1.3 (default: as large
                       as the screen needs)

  Exit status:
    0  done
    1  the picture could not be written, or there is no display to be had
    2  the command line could not be understood

  """
