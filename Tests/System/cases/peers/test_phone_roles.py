"""bluetoothd handles phones that have both roles of AVRCP and are sources of sound."""

from __future__ import annotations

import asyncio

from bumble import a2dp, avdtp
from bumble.avrcp import ControllerFeatures

from car import album, on_data, pair, title, wait_for, wait_for_title
from headunit import HeadUnit
from target_phone import STATUS_CHANGED, TRACK_CHANGED, TargetPhone, element_attributes

SBC = a2dp.SbcMediaCodecInformation


def test_changes_of_the_players_of_unit_and_phone_are_kept_separate(boot_phones_unit, radio):
    unit = boot_phones_unit(on_data(album(40, 40), play_on_connect="obey"))
    phone = TargetPhone.near(radio, watched=("TRACK_CHANGED",))
    pair(unit, phone)
    phone.wait_for_registration(STATUS_CHANGED, TRACK_CHANGED)
    # The unit has registered for the phone's status. The phone has not registered for the unit's status,
    # so the phone gets no event.
    phone.press("play")
    wait_for(unit, "playing")
    phone.press("pause")
    wait_for(unit, "paused")
    assert phone.status() == "paused"
    assert phone.stray == []
    assert phone.events("playback_status_changed") == []
    # A track change of the phone does not end the phone's registrations at the unit.
    phone.plays(element_attributes({1: b"Of the phone"}))
    phone.status()
    phone.forget_events()
    phone.press("forward")
    wait_for_title(unit, 2)
    phone.wait_for_event("track_changed")
    assert phone.metadata()["title"] == title(2)
    assert phone.stray == []


def test_phone_can_register_for_the_volume_before_it_streams(boot_phones_unit, radio):
    unit = boot_phones_unit(on_data(album(10)))
    phone = TargetPhone.near(
        radio, watched=("TRACK_CHANGED", "VOLUME_CHANGED"), categories=ControllerFeatures.CATEGORY_2)
    pair(unit, phone)
    phone.wait_for(lambda: "VOLUME_CHANGED" in phone.current)
    assert phone.current["VOLUME_CHANGED"] == 127
    phone.set_volume(64)  # raises an error if rejected: Android stops using absolute volume after a rejection


async def configure(phone: TargetPhone) -> tuple[int, int]:
    """Opens AVDTP as an SBC source does, and configures the first unused SEP. Returns the number of SEPs, and the
    identifier of the configured SEP."""
    protocol = await avdtp.Protocol.connect(phone.connection, (1, 3))
    capabilities = avdtp.MediaCodecCapabilities(
        media_type=avdtp.AVDTP_AUDIO_MEDIA_TYPE, media_codec_type=a2dp.A2DP_SBC_CODEC_TYPE,
        media_codec_information=SBC(
            SBC.SamplingFrequency.SF_44100, SBC.ChannelMode.JOINT_STEREO, SBC.BlockLength.BL_16,
            SBC.Subbands.S_8, SBC.AllocationMethod.LOUDNESS, 2, 53),
    )
    source = protocol.add_source(capabilities, None, delay_reporting=True)
    found = list(await protocol.discover_remote_endpoints())
    free = next(endpoint for endpoint in found if not endpoint.in_use)
    await protocol.create_stream(source, free)
    phone.avdtp = protocol
    return len(found), free.seid


async def listen(phone: TargetPhone) -> None:
    """Accepts AVDTP connections and publishes the phone's service record, because the unit searches for this record."""
    phone.listener = avdtp.Listener.for_device(phone.device)
    phone.device.sdp_service_records[0x10003] = a2dp.make_audio_source_service_sdp_records(0x10003)


def transports(unit: HeadUnit) -> str:
    """The paths of the transports of all streams of sound, one per line."""
    return unit.try_shell("busctl tree --list org.bluez | grep /fd")[0]


def test_three_phones_can_use_one_endpoint(boot_phones_unit, radio):
    unit = boot_phones_unit(on_data(album(10)))
    phones = [TargetPhone.near(radio, number) for number in (1, 2, 3)]
    for phone in phones:
        radio.run(listen(phone))
        pair(unit, phone)
        # The daemon registers three endpoints, and bluetoothd makes three SEPs for each endpoint. The first three SEPs
        # belong to the first endpoint.
        assert radio.run(asyncio.wait_for(configure(phone), 60)) == (9, phones.index(phone) + 1)
    devices = [phone.address.replace(":", "_") for phone in phones]
    for device in devices:
        unit.wait_until(f"busctl tree --list org.bluez | grep -q 'dev_{device}/.*fd'")
    # When a phone leaves, only its own transport is removed.
    phones[1].disconnect()
    unit.wait_until(f"! busctl tree --list org.bluez | grep -q 'dev_{devices[1]}/.*fd'")
    left = transports(unit)
    assert [device in left for device in devices] == [True, False, True]
    # When the daemon ends, its endpoints and all transports are removed.
    unit.shell("systemctl kill --signal=KILL autoharp.service")
    unit.wait_until("! busctl tree --list org.bluez | grep -q /fd")
    assert unit.shell("systemctl show --property=NRestarts --value bluetooth.service") == "0"
