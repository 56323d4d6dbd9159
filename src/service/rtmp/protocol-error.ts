/** The peer broke the protocol or a bound: its connection cannot go on. The message is one sentence, free of secrets. */
export class RtmpProtocolError extends Error {
  override readonly name = 'RtmpProtocolError';
}
