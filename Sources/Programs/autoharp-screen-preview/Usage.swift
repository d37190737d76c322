let helpText = """
  autoharp-screen-preview paints the screen from sample states and saved states,
  for developers.

  Usage:
    autoharp-screen-preview --png FILE [--state NAME|FILE] [OPTION]…
    autoharp-screen-preview --scene [--state NAME|FILE] [OPTION]…
    autoharp-screen-preview --sheet FILE
    autoharp-screen-preview --overview FILE
    autoharp-screen-preview --list-states
    autoharp-screen-preview --bench

  Actions:
    --png FILE         paint a state into a PNG file
    --scene            print a state as text: the position of each element, and
                       the action of a tap on it
    --sheet FILE       paint all sample states into one PNG file
    --overview FILE    paint the most important states at a small size, for
                       docs/screens.png
    --list-states      list the sample states
    --bench            measure painting at several sizes, and the way to pages
    --help             print this text

  Options:
    --state NAME       the sample state (default: playing); a name with a dot or
                       a slash is the path of a file from 'autoharp-screen
                       --save-state'
    --size WxH         size of the screen in pixels (default: 800x480)
    --diagonal INCHES  diagonal of the screen in inches (default: 7)
    --night, --day     colours for the night or the day (default: night)
    --language TAG     language of the screen's own texts: en, de, fr, ar, he
    --text-scale N     size of the text, 0.85 to 1.3 (default: selected for the
                       screen)

  Exit status:
    0  success
    1  the state cannot be read, or the picture cannot be written
    2  the command line is invalid

  """
