"""A source of tones for an Autoharp unit, over plain D-Bus. It needs jeepney (`pip install jeepney`)."""
import array, itertools, os, select, socket, struct
from jeepney import DBusAddress, FileDescriptor, HeaderFields, MessageType, Parser, new_method_call
from jeepney.io.blocking import prep_socket

RATE, NOTES = 48_000, [("Concert A", 440.0), ("Middle C", 261.63), ("Low E", 82.41)]
bus = prep_socket(os.environ.get("AUTOHARP_SOCKET", "/run/autoharp/control"), enable_fds=True)
parser, serials, frame, note, phase, state, flush = Parser(), itertools.count(1), 0, 0, 0.0, "paused", 0

def send(method, signature, *body):
    interface, name = method.split(".")
    address, serial = DBusAddress("/org/autoharp", "org.autoharp", f"org.autoharp.{interface}"), next(serials)
    bus.sendall(new_method_call(address, name, signature, body).serialise(serial))
    return serial

def receive():  # waits for bytes, and returns the messages that are whole
    data, fds, _, _ = socket.recv_fds(bus, 65536, 8)
    parser.add_data(data, [FileDescriptor(fd) for fd in fds])
    return iter(parser.get_next_message if data else exit, None)

def ask(*call):
    serial, answers = send(*call), (message for messages in iter(receive, None) for message in messages)
    return next(m.body for m in answers if m.header.fields.get(HeaderFields.reply_serial) == serial)

def publish():
    offers = [{"command": ("s", name)} for name in ("play", "pause", "next", "previous")]
    send("Session1.Publish", "ta{sv}", session, {
        "stream": ("t", stream), "playback": ("a{sv}", {"state": ("s", state)}), "commands": ("aa{sv}", offers)})

def change(step):
    """The next frame is the first one of another note. The frames that were not heard are thrown away."""
    global note, flush
    note = (note + step) % len(NOTES)
    texts = [("title", ("s", NOTES[note][0]), "utf8", "und"), ("artist", ("s", f"{NOTES[note][1]} Hz"), "utf8", "und")]
    content = {"kind": ("s", "music"), "id": ("s", NOTES[note][0]), "metadata": ("a(svss)", texts)}
    flush = send("Sound1.Flush", "tt", stream, frame)
    send("Sound1.Mark", "tta{sv}", stream, frame, {"content": ("a{sv}", content), "time": ("x", 0)})

session, unit = ask("Session1.Open", "sa{sv}", "pytone", {"name": ("s", "Tones in Python")})
if unit["played"][1]: state = "playing"  # This program was restarted, and is to play again.
send("Session1.SetActive", "tb", session, True)
sound_format = {"kind": ("s", "track"), "rate": ("u", RATE), "channels": ("u", 1), "format": ("s", "f32")}
stream, sound, _ = ask("Sound1.OpenSound", "ta{sv}", session, sound_format)
sound = sound.to_socket()
change(0), publish()
while True:
    # A packet is sent when there is space for it, and no flush waits for its answer. Commands are never delayed.
    commands, space, _ = select.select([bus], [] if flush else [sound], [])
    if space:
        samples = array.array("f", (abs((phase + i * NOTES[note][1] / RATE) % 1 - 0.5) - 0.25 for i in range(960)))
        sound.send(struct.pack("<IIQ", 0, 0, frame) + samples.tobytes())
        phase, frame = (phase + 960 * NOTES[note][1] / RATE) % 1, frame + 960
    for message in receive() if commands else ():
        if message.header.message_type == MessageType.error: print(message.body)
        if message.header.fields.get(HeaderFields.reply_serial) == flush: flush = 0
        if message.header.fields.get(HeaderFields.member) == "Command":
            _, number, command, _ = message.body
            if command in ("next", "previous"): change(1 if command == "next" else -1)
            else: state = {"play": "playing", "pause": "paused"}[command]
            publish()
            send("Session1.Answer", "ttssss", session, number, "success", "", "", "")
