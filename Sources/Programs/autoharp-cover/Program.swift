import Glibc
import PictureDecoding
import PictureExchange

private let usage = """
  usage: autoharp-cover cover|shape|thumbnail SIDE <PICTURE >RESULT
         decodes a JPEG or PNG file of at most 16 MiB; the result is not
         larger than SIDE x SIDE pixels (at most \(PictureRequest.largestSide))
           cover   the central square, on white
           shape   the whole picture with its alpha channel
         RESULT begins with the width and the height, 32 bits each, little-endian;
         then come the rows: blue, green, red, alpha, premultiplied
           thumbnail   the central square, on white
         RESULT begins with a number of bytes, 32 bits, little-endian; then comes
         a JPEG of at most \(PictureFile.thumbnailBytes) bytes
         autoharp-screen and autoharp-library start this program for each picture
         autoharp-cover --help

  """

/// Decodes the picture on standard input, and ends the process with a ``PictureStatus``.
func runProgram() -> Never {
  let arguments = Array(CommandLine.arguments.dropFirst())
  if arguments == ["--help"] || arguments == ["-h"] {
    writeAll(Array(usage.utf8), to: STDOUT_FILENO)
    exit(0)
  }
  guard let request = PictureRequest(arguments: arguments) else {
    writeAll(Array(usage.utf8), to: STDERR_FILENO)
    end(.usage)
  }
  let picture: UnsafeBufferPointer<UInt8>
  do throws(PictureInputError) {
    picture = try PictureInput.map(STDIN_FILENO, limit: DecodingLimits().bytes)
  } catch {
    end(error == .tooLarge ? .tooLarge : .noFile)
  }
  guard Sandbox.enter(resultBytes: PictureFile.largest(request)) else { end(.noSandbox) }

  do throws(DecodingError) {
    try writeResult(of: picture, request)
  } catch {
    switch error {
    case .unknownFormat: end(.unknownFormat)
    case .tooLarge: end(.tooLarge)
    case .damaged: end(.damaged)
    }
  }
  // Seals the memory file of the caller. If standard output is a pipe or an ordinary file, for example if a user starts
  // the program, this call has no effect.
  PictureFile.seal(STDOUT_FILENO)
  end(.decoded)
}

private func writeResult(
  of picture: UnsafeBufferPointer<UInt8>, _ request: PictureRequest
) throws(DecodingError) {
  switch request.form {
  case .cover, .shape:
    try PictureDecoder.decode(picture, request) { width, height in
      writeAll(PictureFile.header(width: width, height: height), to: STDOUT_FILENO)
    } row: {
      writeAll(UnsafeRawBufferPointer($0), to: STDOUT_FILENO)
    }
  case .thumbnail:
    let jpeg = try ThumbnailEncoder.encode(picture, request)
    writeAll(PictureFile.header(thumbnailBytes: jpeg.count) + jpeg, to: STDOUT_FILENO)
  }
}

private func end(_ status: PictureStatus) -> Never {
  // `exit` would run functions that make further system calls, so the sandbox would kill the process.
  _exit(status.rawValue)
}

private func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
  bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
}

private func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { end(.noFile) }
    rest = rest.dropFirst(count)
  }
}
