/**
 * The ffmpeg filter that converts any sound to stereo. Surround sound is mixed as ffmpeg's own conversion does (ITU-R BS.775: centre,
 * back and sides at 0.707, then divided by the sum). Two things differ:
 * - Mono keeps its level on both sides, as in OBS and in browsers. ffmpeg's own conversion makes it 3 dB quieter.
 * - Many channels without a known layout, as from an audio interface with 18, are mixed. ffmpeg's own conversion fails.
 */
export const toStereo = 'pan=stereo|FL<FL+0.707FC+0.707BL+0.707SL+0.5BC|FR<FR+0.707FC+0.707BR+0.707SR+0.5BC';
