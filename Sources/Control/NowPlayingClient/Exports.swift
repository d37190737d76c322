// A program imports this module only. With it, it gets the values of the model, and those values of the control socket
// that are public.
@_exported public import Control
@_exported public import NowPlaying
@_exported public import SystemClock
