import type { EncoderName } from '../../shared/model/encoder.ts';

/** ffmpeg's encoders by their common names, and the hardware they use. */
export const encoderNames: Readonly<Record<EncoderName, { label: string; note: string }>> = {
  libx264: { label: 'x264', note: 'CPU' },
  h264_nvenc: { label: 'NVENC', note: 'NVIDIA graphics' },
  h264_qsv: { label: 'Quick Sync', note: 'Intel graphics' },
  h264_vaapi: { label: 'VA-API', note: 'Intel or AMD graphics, on Linux' },
  h264_amf: { label: 'AMF', note: 'AMD graphics' },
  h264_videotoolbox: { label: 'VideoToolbox', note: "Apple's media engine" },
};

/** The common name of an encoder. */
export function nameEncoder(encoder: EncoderName): string {
  return encoderNames[encoder].label;
}
