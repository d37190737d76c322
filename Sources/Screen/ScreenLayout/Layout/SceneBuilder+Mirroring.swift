// Mirrors a scene for languages that are written from right to left. Each element moves to the opposite side. A block
// moves as a whole, so the order of its parts stays the same. Icons that point in the direction of reading are
// mirrored. Letters are not mirrored, because text shaping handles the direction of the text.
extension SceneBuilder {
  mutating func mirror() {
    for index in elements.indices {
      let element = elements[index]
      elements[index].frame = mirrored(element.frame, element.block)
      guard element.block == nil else { continue }
      switch element.content {
      case .text(var run):
        run.alignment = run.alignment.mirrored
        elements[index].content = .text(run)
      case .icon(var icon):
        if case .symbol(let symbol) = icon.picture, symbol.followsReading {
          icon.isMirrored = true
          elements[index].content = .icon(icon)
        }
      case .shape, .image, .code: break
      }
    }
    for index in hitAreas.indices {
      let block = hitAreas[index].block
      hitAreas[index].frame = mirrored(hitAreas[index].frame, block)
      hitAreas[index].face = mirrored(hitAreas[index].face, block)
    }
    if var scrubber {
      scrubber.frame = mirrored(scrubber.frame, scrubber.block)
      scrubber.track = mirrored(scrubber.track, scrubber.block)
      self.scrubber = scrubber
    }
    shadow = shadow.map {
      Background.Shadow(
        frame: mirrored($0.frame, nil), radius: $0.radius, blur: $0.blur, offset: $0.offset,
        opacity: $0.opacity)
    }
    glowCenter.x = screen.width - 1 - glowCenter.x
  }

  private func mirrored(_ frame: PixelRect, _ block: PixelRect?) -> PixelRect {
    var result = frame
    if let block {
      result.x += screen.width - block.maxX - block.x
    } else {
      result.x = screen.width - frame.maxX
    }
    return result
  }
}
