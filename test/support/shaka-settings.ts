/**
 * shaka-player's settings for HLS (`manifest.hls`) with which it plays every part of a segment.
 *
 * Up to 5.2.12 it takes its own timestamp offset for a changed one, part after part, and aborts the source buffer, which then drops
 * pictures up to the next keyframe: two of five parts here, and the end of the broadcast (shaka-project/shaka-player#10589).
 */
export const playEveryPart = { ignoreManifestTimestampsInSegmentsMode: true } as const;
