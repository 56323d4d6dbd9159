/** Media bytes that break their format's rules. The message names the structure and what is wrong with it. */
export class MediaFormatError extends Error {
  override readonly name = 'MediaFormatError';
}
