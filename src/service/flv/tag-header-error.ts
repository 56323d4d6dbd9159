import { MediaFormatError } from '../media/media-format-error.ts';

/** A tag ends inside its own header, or is of a type that nobody knows: whoever sent it does not speak the format. */
export class TagHeaderError extends MediaFormatError {}
