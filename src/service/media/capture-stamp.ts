/** When a frame was captured and encoded: Unix milliseconds by the clock of the capturing computer. */
export interface CaptureStamp {
  /** When the frame was captured. */
  capturedAtMs: number;
  /** When the encoder delivered it. */
  encodedAtMs: number;
}
