/**
 * An encoder's announcement of its stream before it sends media: values by the names of Flash Video's `onMetaData` (Flash Video
 * File Format 10.1, E.5), such as `framerate`, which encoders of other protocols use, too.
 */
export type StreamMetadata = ReadonlyMap<string, string | number | boolean>;
