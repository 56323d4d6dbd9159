/** Media bytes that break their format's rules. The message names the structure and what is wrong with it. */
export class MediaFormatError extends Error {
  override readonly name = 'MediaFormatError';
}

/** What `read` makes of media bytes, or `otherwise` where they are malformed; anything else it throws is thrown on. */
export function ifWellFormed<Value, Otherwise>(read: () => Value, otherwise: Otherwise): Value | Otherwise {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MediaFormatError)) throw error;
    return otherwise;
  }
}
