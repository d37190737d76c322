let helpText = """
  autoharp-screen paints the Now Playing screen.

  Usage:
    autoharp-screen --png FILE [--state NAME] [OPTION]…
    autoharp-screen --scene [--state NAME] [OPTION]…
    autoharp-screen --sheet FILE
    autoharp-screen --overview FILE
    autoharp-screen --list-states
    autoharp-screen --bench

  So far it shows made states only, and drives no display.

  What to do:
    --png FILE         paint one state into a PNG file
    --scene            write one state as text: what stands where, and what a
                       tap there asks for
    --sheet FILE       paint all states into one PNG file
    --overview FILE    paint the states that say most, small: docs/screens.png
    --list-states      list the states
    --bench            measure painting at several sizes
    --help             print this text

  Options:
    --state NAME       which state (default: playing)
    --size WxH         of the screen in pixels (default: 800x480)
    --diagonal INCHES  of the screen (default: 7)
    --night, --day     which light (default: night)
    --language TAG     of the screen's own words: en, de, fr, ar, he
    --text-scale N     larger or smaller letters, 0.85 to 1.3 (default: as large
                       as the screen needs)

  Exit status:
    0  done
    1  the picture could not be written
    2  the command line could not be understood

  """
