/** Bytes `start` to `end`, exclusive, of buffers that follow one another, without a copy. */
export function sliceBuffers(buffers: readonly Buffer[], start: number, end: number): Buffer[] {
  const slices: Buffer[] = [];
  let position = 0;
  for (const buffer of buffers) {
    const slice = buffer.subarray(Math.max(start - position, 0), Math.max(end - position, 0));
    if (slice.length > 0) slices.push(slice);
    position += buffer.length;
  }
  return slices;
}
