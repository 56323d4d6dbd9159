import { MediaFormatError } from '../media/media-format-error.ts';

/** A tag ends inside its own header or has an unknown type: the sender does not speak the format. */
export class TagHeaderError extends MediaFormatError {}
