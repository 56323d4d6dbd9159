/** Advice to use the codecs that everything here can decode. */
export const usualCodecs = 'choose H.264 and AAC in the encoder (in OBS: Settings → Output → Video Encoder and Audio Encoder)';

/** How to lower the quality of one click's broadcast, which can't be changed on air. *Custom* goes below the smallest preset. */
export const chooseLess = 'stop, choose a lower quality beside the source (Custom goes lowest), and go live again';

/** What helps if nothing simpler does. */
export const orLess = `If that doesn't help, ${chooseLess}.`;

/** Where to find the bitrate in OBS. */
export const bitrateInObs = '(in OBS: Settings → Output → Bitrate)';

/** Media arrives again, from another program's encoder or from ours. */
export const mediaIsBack = { theirs: 'The encoder is back', ours: 'The ingest takes your media again' } as const;

/** What a suspended stream does. */
export const suspendedStream = 'This stream refuses every encoder until you resume it.';
