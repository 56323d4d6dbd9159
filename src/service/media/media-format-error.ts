/** Media that breaks the rules of its format. The message names the structure and what is wrong with it. */
export class MediaFormatError extends Error {
  override readonly name = 'MediaFormatError';
}

/** The result of `read`, or `otherwise` if the media is malformed. Other errors are rethrown. */
export function ifWellFormed<Value, Otherwise>(read: () => Value, otherwise: Otherwise): Value | Otherwise {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MediaFormatError)) throw error;
    return otherwise;
  }
}
