let helpText = """
  autoharp-screen shows what plays and reacts to touches.

  Usage:
    autoharp-screen [--socket PATH] [--config FILE]…
                    [--window WxH|--terminal]
    autoharp-screen --png FILE [--socket PATH] [OPTION]…
    autoharp-screen --save-state FILE [--socket PATH]

  Without --png and --save-state, the program shows what plays until SIGTERM or
  SIGINT stops it. The program waits while the daemon or the display is missing.

  Actions:
    --png FILE         paint the screen of a running unit into a PNG file
    --save-state FILE  save the current state of a unit in a file, for a report
    --help             print this text

  Options:
    --socket PATH      control socket of the daemon (default: as configured)
    --config FILE      read FILE, not the configuration of the unit; if given
                       more than once, later files take precedence
    --window WxH       use a window on the desktop (needs SDL 2), not the panel
                       of this machine
    --terminal         use the terminal, not the panel of this machine
    --scripted WxH     for tests: use a display in memory, and read touches as
                       lines from standard input

  Options for --png:
    --size WxH         size of the screen in pixels (default: 800x480)
    --diagonal INCHES  diagonal of the screen in inches (default: 7)
    --language TAG     language of the screen's own texts: en, de, fr, ar, he
    --text-scale N     size of the text, 0.85 to 1.3 (default: selected for the
                       screen)

  Exit status:
    0  success
    1  the picture cannot be written, or no display can be used
    2  the command line is invalid

  """
