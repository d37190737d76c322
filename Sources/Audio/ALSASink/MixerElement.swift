internal import AudioEngine
internal import CALSA

/// One playback control of a sound card, as `amixer` shows it.
public struct MixerElement: Hashable, Sendable {
  /// The name, such as `Master`.
  public let name: String
  /// The volume in per cent of its range, of the quietest channel. Nil if the element has no volume.
  public let percent: Int?
  /// False if at least one channel is switched off. Nil if the element has no switch.
  public let isOn: Bool?

  /// Maximum number of elements that are read.
  public static let maximumCount = 64

  /// Reads the playback controls of a card. Blocks while the card does not answer, so call it on a thread of its own.
  ///
  /// - Parameter control: the name of the control device, as in `amixer -D`: `hw:0`.
  /// - Returns: the elements; empty if the card has no mixer.
  public static func all(of control: String) -> [MixerElement] {
    var mixer: OpaquePointer?
    guard snd_mixer_open(&mixer, 0) == 0, let mixer else { return [] }
    defer { snd_mixer_close(mixer) }
    guard snd_mixer_attach(mixer, control) == 0, snd_mixer_selem_register(mixer, nil, nil) == 0,
      snd_mixer_load(mixer) == 0
    else { return [] }
    var elements: [MixerElement] = []
    var next = snd_mixer_first_elem(mixer)
    while let element = next, elements.count < maximumCount {
      next = snd_mixer_elem_next(element)
      if let read = MixerElement(element) { elements.append(read) }
    }
    return elements
  }

  /// Nil if the element has neither a playback volume nor a playback switch.
  private init?(_ element: OpaquePointer) {
    let hasVolume = snd_mixer_selem_has_playback_volume(element) == 1
    let hasSwitch = snd_mixer_selem_has_playback_switch(element) == 1
    guard hasVolume || hasSwitch, let name = snd_mixer_selem_get_name(element) else { return nil }
    self.name = String(cString: name)
    var (lowest, highest) = (0, 0)
    snd_mixer_selem_get_playback_volume_range(element, &lowest, &highest)
    var quietest: Int?
    var isOn = true
    for channel in 0...SND_MIXER_SCHN_LAST.rawValue {
      let channel = snd_mixer_selem_channel_id_t(rawValue: channel)
      guard snd_mixer_selem_has_playback_channel(element, channel) == 1 else { continue }
      var volume = 0
      if hasVolume, snd_mixer_selem_get_playback_volume(element, channel, &volume) == 0 {
        quietest = min(quietest ?? volume, volume)
      }
      var channelIsOn: Int32 = 1
      if hasSwitch, snd_mixer_selem_get_playback_switch(element, channel, &channelIsOn) == 0 {
        isOn = isOn && channelIsOn != 0
      }
    }
    // A driver can report any range, so the part is computed with floating-point numbers.
    percent = quietest.map { volume in
      let range = Double(highest) - Double(lowest)
      let part = range > 0 ? (Double(volume) - Double(lowest)) / range : 1
      return Int((min(max(part, 0), 1) * 100).rounded())
    }
    self.isOn = hasSwitch ? isOn : nil
  }
}
