"""Asks ALSA whether its default output can be opened."""

from __future__ import annotations

import ctypes
import errno

PLAYBACK, NONBLOCK = 0, 1


def problem_of_default() -> str | None:
    """Why ALSA's output `default` cannot be opened. None if it can be opened. The daemon waits for an output that
    another program uses, so such an output is not a problem."""
    try:
        alsa = ctypes.CDLL("libasound.so.2")
    except OSError as error:
        return str(error)
    # ALSA writes its errors to the terminal, unless the program sets another error handler.
    handler = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p)
    ignore = handler(lambda *_: None)
    alsa.snd_lib_error_set_handler(ignore)
    alsa.snd_strerror.restype = ctypes.c_char_p
    output = ctypes.c_void_p()
    code = alsa.snd_pcm_open(ctypes.byref(output), b"default", PLAYBACK, NONBLOCK)
    if code == 0:
        alsa.snd_pcm_close(output)
    return None if code in (0, -errno.EBUSY, -errno.EAGAIN) else alsa.snd_strerror(code).decode()
