public import AudioEngine
internal import CALSA

/// The playback switch of an element of an ALSA mixer. `amixer sset ELEMENT mute` sets the same switch.
///
/// The first call of ``setMuted(_:)`` opens the mixer. An error closes the mixer, and the next call opens it again. So
/// the switch works again after a card was removed and plugged in again.
public final class MixerSwitch: Amplifier, @unchecked Sendable {
  /// The name of the control device, as in `amixer -D`: `hw:0`, `default`.
  public let control: String
  /// The name of the simple element, as in the list of `amixer scontrols`: `Master`, `Speaker`. If several elements
  /// have this name, the first one is used.
  public let element: String
  private var mixer: OpaquePointer?

  /// Creates the switch without opening the mixer.
  public init(control: String, element: String) {
    self.control = control
    self.element = element
  }

  deinit { close() }

  /// See ``Amplifier/setMuted(_:)``.
  ///
  /// - Throws: if the control or the element does not exist; if the element has no playback switch (the text of the
  ///   error lists the elements that have one); if the card refuses the change.
  public func setMuted(_ muted: Bool) throws(SinkError) {
    do throws(SinkError) {
      let mixer = try openMixer()
      // libasound writes a value only if it differs from the cached value. So first update the cache with the changes
      // of other programs.
      let status = snd_mixer_handle_events(mixer)
      if status < 0 { throw ALSASink.error("the mixer of \(control)", "reports an error", status) }
      let switched = snd_mixer_selem_set_playback_switch_all(try find(in: mixer), muted ? 0 : 1)
      if switched < 0 {
        throw ALSASink.error("\(element) of \(control)", "cannot be switched", switched)
      }
    } catch {
      // After an error, close the mixer. This also drops libasound's cache, which contains the value that the card
      // refused. With this cache, libasound would not write the value again.
      close()
      throw error
    }
  }

  /// See ``Amplifier/isMuted()``. Opens a separate mixer for reading, so any thread can call this.
  ///
  /// - Returns: true if at least one channel is off.
  /// - Throws: if the control or the element does not exist, or if the element has no playback switch.
  public func isMuted() throws(SinkError) -> Bool {
    let reader = MixerSwitch(control: control, element: element)
    // `found` belongs to the mixer of `reader`, so `reader` must exist until this function returns.
    defer { withExtendedLifetime(reader) {} }
    let found = try reader.find(in: try reader.openMixer())
    for channel in 0...SND_MIXER_SCHN_LAST.rawValue {
      let channel = snd_mixer_selem_channel_id_t(rawValue: channel)
      guard snd_mixer_selem_has_playback_channel(found, channel) == 1 else { continue }
      var isOn: Int32 = 1
      let status = snd_mixer_selem_get_playback_switch(found, channel, &isOn)
      if status < 0 { throw ALSASink.error("\(element) of \(control)", "cannot be read", status) }
      if isOn == 0 { return true }
    }
    return false
  }

  private func openMixer() throws(SinkError) -> OpaquePointer {
    if let mixer { return mixer }
    var status = snd_mixer_open(&mixer, 0)
    if status == 0 { status = snd_mixer_attach(mixer, control) }
    if status == 0 { status = snd_mixer_selem_register(mixer, nil, nil) }
    if status == 0 { status = snd_mixer_load(mixer) }
    guard status == 0, let mixer else {
      throw ALSASink.error("the mixer of \(control)", "cannot be opened", status)
    }
    return mixer
  }

  private func close() {
    if let mixer { snd_mixer_close(mixer) }
    mixer = nil
  }

  private func find(in mixer: OpaquePointer) throws(SinkError) -> OpaquePointer {
    var memory: OpaquePointer?
    snd_mixer_selem_id_malloc(&memory)
    guard let identity = memory else { throw SinkError("\(control): out of memory") }
    defer { snd_mixer_selem_id_free(identity) }
    snd_mixer_selem_id_set_name(identity, element)
    guard let found = snd_mixer_find_selem(mixer, identity) else {
      throw SinkError("\(control) has no element '\(element)'; \(switchList(of: mixer))")
    }
    guard snd_mixer_selem_has_playback_switch(found) == 1 else {
      throw SinkError("\(element) of \(control) has no playback switch; \(switchList(of: mixer))")
    }
    return found
  }

  /// The elements that have a playback switch, as text for an error message.
  private func switchList(of mixer: OpaquePointer) -> String {
    var names: [String] = []
    var next = snd_mixer_first_elem(mixer)
    while let element = next {
      next = snd_mixer_elem_next(element)
      guard snd_mixer_selem_has_playback_switch(element) == 1,
        let name = snd_mixer_selem_get_name(element)
      else { continue }
      names.append(String(cString: name))
    }
    return names.isEmpty
      ? "no element has a playback switch"
      : "elements with a playback switch: \(names.joined(separator: ", "))"
  }
}
