import { setFlagsFromString } from 'node:v8';

/** How much the old generation of V8's heap may grow between two full collections, in percent of what survived the last one. */
const growthPercent = 300;

/**
 * Makes full garbage collections rare. For the whole process, so it is the host that calls it, once and first.
 *
 * V8 lets a small heap, such as ours of 20 MiB, grow by 16 MiB between two full collections, and begins the next as soon as what is
 * left of that is less than the young generation holds, which is 16 MiB too under load: it collects once a second for ever. With ten
 * publishers that was more than half of all processor time. Buffers of media, which are outside of the heap, still start a
 * collection for each 64 MiB of them, so that memory stays bounded.
 */
export function collectRarely(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
