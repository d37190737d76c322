internal import CFLAC

// libFLAC's callbacks. C cannot carry a Swift method, so each finds its decoder in the context.

typealias FLACHandle = UnsafePointer<FLAC__StreamDecoder>?
typealias FLACContext = UnsafeMutableRawPointer?

private func decoder(_ context: FLACContext) -> FLACDecoder {
  Unmanaged<FLACDecoder>.fromOpaque(context!).takeUnretainedValue()
}

func flacRead(
  _: FLACHandle, buffer: UnsafeMutablePointer<FLAC__byte>?, bytes: UnsafeMutablePointer<Int>?,
  context: FLACContext
) -> FLAC__StreamDecoderReadStatus {
  guard let buffer, let bytes, bytes.pointee > 0,
    let read = decoder(context).read(buffer, bytes.pointee)
  else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
  bytes.pointee = read
  return read == 0
    ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
}

func flacSeek(_: FLACHandle, position: FLAC__uint64, context: FLACContext)
  -> FLAC__StreamDecoderSeekStatus
{
  let decoder = decoder(context)
  guard position <= UInt64(decoder.length) else { return FLAC__STREAM_DECODER_SEEK_STATUS_ERROR }
  decoder.readPosition = Int64(position)
  return FLAC__STREAM_DECODER_SEEK_STATUS_OK
}

func flacTell(_: FLACHandle, position: UnsafeMutablePointer<FLAC__uint64>?, context: FLACContext)
  -> FLAC__StreamDecoderTellStatus
{
  position?.pointee = UInt64(decoder(context).readPosition)
  return FLAC__STREAM_DECODER_TELL_STATUS_OK
}

func flacLength(_: FLACHandle, length: UnsafeMutablePointer<FLAC__uint64>?, context: FLACContext)
  -> FLAC__StreamDecoderLengthStatus
{
  length?.pointee = UInt64(decoder(context).length)
  return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
}

func flacAtEnd(_: FLACHandle, context: FLACContext) -> FLAC__bool {
  let decoder = decoder(context)
  return decoder.readPosition >= decoder.length ? 1 : 0
}

func flacWrite(
  _: FLACHandle, frame: UnsafePointer<FLAC__Frame>?,
  channels: UnsafePointer<UnsafePointer<FLAC__int32>?>?, context: FLACContext
) -> FLAC__StreamDecoderWriteStatus {
  guard let frame, let channels else { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
  decoder(context).wrote(frame.pointee, channels)
  return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
}

func flacError(_: FLACHandle, status: FLAC__StreamDecoderErrorStatus, context: FLACContext) {
  decoder(context).failed(status)
}
