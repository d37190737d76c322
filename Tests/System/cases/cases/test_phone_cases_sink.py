"""The qualification cases of A2DP for a sink: a tester configures, starts, stops and closes streams."""

from __future__ import annotations

import time

from car import json_matches, pair, wait_for, wait_for_phones
from daemon import on_data
from headunit import HeadUnit
from qualification import CASES, RESULTS, Cases, table
from sbc import USUAL, Coding
from sound import Frames, noise
from target_phone import INTERIM, TRACK_CHANGED
from tester import AAC, SBC, STREAM_STATES, Tester

AUDIO_SINK, ADVANCED_AUDIO = 0x110B, 0x110D
L2CAP, AVDTP = 0x0100, 0x0019
SERVICE_CLASSES, PROTOCOLS, PROFILES, FEATURES = 0x0001, 0x0004, 0x0009, 0x0311


def coding(rate: int, mode: str, bitpool: int, **more) -> Coding:
    """A coding whose configuration permits no bitpool above `bitpool`."""
    return Coding(rate, mode, bitpool=bitpool, bitpools=(2, bitpool), **more)


# The codings of the cases of formats (A2DP.TS, 4.10), keyed by the rate of the sound card.
FORMATS = {
    44100: {"A2DP/SNK/CC/BV-02-I": coding(44100, "mono", 32, blocks=8),
            "A2DP/SNK/CC/BV-05-I": coding(44100, "mono", 31),
            "A2DP/SNK/CC/BV-07-I": coding(44100, "joint stereo", 53)},
    48000: {"A2DP/SNK/CC/BV-01-I": coding(48000, "dual channel", 16, subbands=4, allocation="SNR"),
            "A2DP/SNK/CC/BV-06-I": coding(48000, "mono", 29),
            "A2DP/SNK/CC/BV-08-I": coding(48000, "joint stereo", 51)},
}
UNSUPPORTED_CONFIGURATION = 0x29
# The codec and the configuration that the tester sends, and the error codes that pass the case (A2DP.TS, 4.11.1).
REFUSALS = {
    "A2DP/SNK/AVP/BI-03-C": (SBC, "31150235", {0xC3}),  # two rates
    "A2DP/SNK/AVP/BI-08-C": (SBC, "81150235", {0xC4}),  # 16 kHz, which the unit does not offer
    "A2DP/SNK/AVP/BI-10-C": (0x05, "21150235", {0xC1, 0xC2, UNSUPPORTED_CONFIGURATION}),  # no such codec
    "A2DP/SNK/AVP/BI-11-C": (SBC, "23150235", {0xC5}),  # two channel modes
    "A2DP/SNK/AVP/BI-12-C": (SBC, "211d0235", {0xC7}),  # two numbers of subbands
    "A2DP/SNK/AVP/BI-13-C": (SBC, "21170235", {0xC9}),  # two allocation methods
    "A2DP/SNK/AVP/BI-14-C": (SBC, "21150135", {0xCB}),  # least bitpool 1
    "A2DP/SNK/AVP/BI-15-C": (SBC, "211502fb", {0xCD}),  # greatest bitpool 251
    "A2DP/SNK/AVP/BI-16-C": (SBC, "21350235", {0xDD}),  # two block lengths
    # A codec that the unit does not offer.
    "A2DP/SNK/AVP/BI-20-C": (AAC, "8001018001f4", {0xC2, UNSUPPORTED_CONFIGURATION}),
}
# The permitted delays in the unit's reports, in tenths of a millisecond: from its shortest to its longest lead.
DELAYS = range(400, 2501)
# The tester starts at most this number of streams until a stream is heard exactly. If the host is busy, the unit
# corrects the lead of a stream. From then on, the played samples differ from the samples of the decoder.
ATTEMPTS = 5
HEARD_WITHIN = 30  # seconds of the host's clock


def sink(boot, radio, rate: int) -> tuple[HeadUnit, Tester]:
    """A unit at full volume without music of its own, and a tester that is paired with the unit. The unit does not
    connect by itself, because the cases of a lost link require this."""
    unit = boot(radio=radio, rate=rate, data=on_data(dial_phones="no"))
    wait_for_phones(unit)
    unit.console("volume 100")
    tester = Tester.near(radio, unit=unit)
    pair(unit, tester)
    return unit, tester


def hear(unit: HeadUnit, tester: Tester, seed: int) -> None:
    """Opens and starts a stream of the tester. The card must play a tenth of a second of the stream exactly as a
    decoder decodes it. The start of the stream can be missing, because the unit opens its card only when the stream
    begins."""
    rate = tester.coding.rate
    for _ in range(ATTEMPTS):
        music = tester.load(noise(5, seed, rate), repeats=True)
        tester.play()
        wait_for(unit, "playing")
        if is_heard(unit, [music[begin : begin + rate // 10] for begin in range(0, 4 * rate, rate // 20)]):
            return
        tester.pause()
        wait_for(unit, "paused")
    raise AssertionError(f"{tester.coding} was not heard exactly")


def is_heard(unit: HeadUnit, parts: list[Frames]) -> bool:
    """True if the card plays one of these parts within the time HEARD_WITHIN."""
    deadline = time.monotonic() + HEARD_WITHIN
    while True:
        heard = unit.sound()
        if any(heard.find(part) >= 0 for part in parts):
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.5)  # polls, because no event reports that a file of another process grows


def release(unit: HeadUnit, tester: Tester) -> None:
    """Stops and closes the stream of the tester, and waits until the unit has no stream."""
    tester.pause()
    wait_for(unit, "paused")
    tester.close_stream()
    unit.wait_until("! busctl tree --list org.bluez | grep -q /fd")


def test_table_lists_each_case_of_bluez_once():
    rows = table()
    assert sorted(row.case for row in rows) == sorted(CASES)
    assert [row for row in rows if not any(row.is_(word) for word in RESULTS)] == []


def test_cases_of_a_sink(boot, radio):
    """A driver can rely on each way in which a phone finds, configures, starts, stops and loses the loudspeaker."""
    cases = Cases("test_cases_of_a_sink")
    unit, tester = sink(boot, radio, 44100)

    # This case of an AVRCP target needs a unit without music.
    with cases("AVRCP/TG/NFY/BV-04-C"):
        reply = tester.register(TRACK_CHANGED)
        assert (reply.code, reply.parameters.hex()) == (INTERIM, "02" + "ff" * 8)
    with cases("A2DP/SNK/SDP/BV-02-I"):
        [record] = tester.records(AUDIO_SINK)
        assert record[SERVICE_CLASSES] == [AUDIO_SINK]
        assert record[PROTOCOLS] == [[L2CAP, AVDTP], [AVDTP, 0x0103]]
        assert record[PROFILES] == [[ADVANCED_AUDIO, 0x0104]]
        assert record[FEATURES] & 0x0F

    answers = {}
    for case, (kind, configuration, demanded) in REFUSALS.items():
        with cases(case):
            answers[case] = tester.answer_to_configuration(kind, bytes.fromhex(configuration))
            assert answers[case] in demanded, hex(answers[case])
    # bluetoothd sends this one error code for everything that it or the daemon refuses.
    assert answers == dict.fromkeys(REFUSALS, UNSUPPORTED_CONFIGURATION)

    with cases("A2DP/SNK/SET/BV-01-I"):
        tester.open_stream()
        assert tester.stream.state == STREAM_STATES.OPEN
        unit.wait_until("busctl tree --list org.bluez | grep -q /fd")
    with cases("A2DP/SNK/SET/BV-03-I"):
        tester.start_stream()
        assert tester.stream.state == STREAM_STATES.STREAMING
        unit.wait_for_log("phone.stream-began")
        tester.suspend_stream()
    with cases("A2DP/SNK/AS/BV-01-I"):
        hear(unit, tester, seed=1)
    with cases("A2DP/SNK/REL/BV-01-I"):
        release(unit, tester)
        assert tester.stream is None

    reports = [delays_of_a_stream(unit, tester) for _ in range(3)]
    print("delays at the configuration and after the start:", reports)
    assert all(started[-1] in DELAYS for _, started in reports)
    with cases("A2DP/SNK/SYN/BV-01-C"):
        assert all(configured[-1] in DELAYS for configured, _ in reports), reports

    cases_of_formats(cases, unit, tester)
    with cases("A2DP/SNK/SET/BV-05-I"):
        tester.use(USUAL)
        hear(unit, tester, seed=2)
        for seed in (3, 4, 5):
            tester.leave_range()
            tester.wait_until_disconnected()
            unit.wait_until("! busctl tree --list org.bluez | grep -q /fd")
            unit.wait_until(json_matches("bt phones", '"isConnected": false'))
            tester.return_to_range()
            tester.connect()
            tester.wait_until_connected()
            hear(unit, tester, seed)
    assert unit.failed_units() == []
    cases.check()


def delays_of_a_stream(unit: HeadUnit, tester: Tester) -> tuple[list[int], list[int]]:
    """The delays that the unit reports when a stream is configured and opened, and the delays that it reports after the
    start."""
    tester.delays.clear()
    tester.open_stream()
    # bluetoothd reports the delay after its answer to the configuration.
    tester.wait_for(lambda: tester.delays)
    configured = list(tester.delays)
    tester.load(noise(2, seed=9), repeats=True)
    tester.play()
    tester.wait_for(lambda: len(tester.delays) > len(configured))
    started = tester.delays[len(configured) :]
    release(unit, tester)
    return configured, started


def cases_of_formats(cases: Cases, unit: HeadUnit, tester: Tester) -> None:
    """Runs the cases of the formats that have the rate of the unit's sound card."""
    for seed, (case, chosen) in enumerate(FORMATS[unit.options["rate"]].items(), 10):
        tester.use(chosen)
        with cases(case):
            hear(unit, tester, seed)
        release(unit, tester)


def test_cases_of_formats_at_48_khz(boot, radio):
    """A phone sends its sound at 48 kHz, and the driver hears each sample of it."""
    cases = Cases("test_cases_of_formats_at_48_khz")
    unit, tester = sink(boot, radio, 48000)
    cases_of_formats(cases, unit, tester)
    assert unit.failed_units() == []
    cases.check()
