public import AudioEngine
internal import CALSA

/// The playback switch of an element of an ALSA mixer, as `amixer sset ELEMENT mute` switches it.
///
/// The mixer is opened with the first switching and stays open. After an error it is opened anew, so
/// that a card which was pulled and came back works again.
public final class MixerSwitch: Amplifier, @unchecked Sendable {
  /// The control, as in `amixer -D`: `hw:0`, `default`.
  public let control: String
  /// The simple element, as `amixer scontrols` lists it: `Master`, `Speaker`. The first of that
  /// name.
  public let element: String
  private var mixer: OpaquePointer?

  /// Opens nothing yet.
  public init(control: String, element: String) {
    self.control = control
    self.element = element
  }

  deinit { close() }

  /// See ``Amplifier/setMuted(_:)``.
  ///
  /// - Throws: where there is no such control or no such element, or it has no playback switch,
  ///   with the elements that have one; where the card refuses.
  public func setMuted(_ muted: Bool) throws(SinkError) {
    do throws(SinkError) {
      let mixer = try openMixer()
      // libasound writes only what is not as it thinks, so it must hear what others have switched.
      let status = snd_mixer_handle_events(mixer)
      if status < 0 { throw ALSASink.error("the mixer of \(control)", "fails", status) }
      let switched = snd_mixer_selem_set_playback_switch_all(try find(in: mixer), muted ? 0 : 1)
      if switched < 0 {
        throw ALSASink.error("\(element) of \(control)", "cannot be switched", switched)
      }
    } catch {
      // Also because what was refused counts as written in there.
      close()
      throw error
    }
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
      throw SinkError("\(control) has no element '\(element)'; \(offer(of: mixer))")
    }
    guard snd_mixer_selem_has_playback_switch(found) == 1 else {
      throw SinkError("\(element) of \(control) has no playback switch; \(offer(of: mixer))")
    }
    return found
  }

  /// What could have been meant, for people.
  private func offer(of mixer: OpaquePointer) -> String {
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
      ? "none has a playback switch" : "with a switch: \(names.joined(separator: ", "))"
  }
}
