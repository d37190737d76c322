import Foundation
import TestKit
import Testing

@testable import Screen

@Suite(.timeLimit(.minutes(5))) struct CoverDecoderTests {
  /// A newer request replaces an older one. The older request is answered too. So the screen can
  /// request the older cover again when the user returns to the older track.
  @Test func everyRequest_isAnsweredOnce_includingReplacedOnes() throws {
    let decoder = CoverDecoder(runtimeFolder: nil)
    let count = 200
    for number in 0..<count {
      decoder.request(CoverDecoder.Request(id: "\(number)", path: "/nowhere/\(number)", side: 10))
    }
    var answered: [String: Bool] = [:]
    while answered.count < count {
      usleep(1000)  // no event loop waits for the wake-up of the decoder
      for answer in decoder.takeAnswers() {
        #expect(answered[answer.request.id] == nil)
        switch answer.outcome {
        case .image: Issue.record("the file does not exist")
        case .none(let reason):
          #expect(reason.contains("/nowhere/"))
          answered[answer.request.id] = true
        case .replaced: answered[answer.request.id] = false
        }
      }
    }
    #expect(answered["\(count - 1)"] == true)
    decoder.shutDown()
  }
}
