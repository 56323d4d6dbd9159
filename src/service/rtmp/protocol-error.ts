/** The peer broke the protocol or exceeded a limit, so the connection must end. The message is one sentence without secrets. */
export class RtmpProtocolError extends Error {
  override readonly name = 'RtmpProtocolError';
}
