import { setFlagsFromString } from 'node:v8';

/** Growth of V8's old generation between two full garbage collections, in percent of the memory that survived the last one. */
const growthPercent = 300;

/**
 * Makes full garbage collections rare. It affects the whole process, so the host calls it once, at the start.
 *
 * V8 lets a small heap, such as ours of 20 MiB, grow by 16 MiB between two full collections. It starts the next one as soon as less
 * than the size of the young generation is left, which under load is 16 MiB too: so it collects once a second. With ten publishers
 * that was more than half of all processor time. Media buffers live outside the heap and still cause a collection for every 64 MiB
 * allocated, so memory stays bounded.
 */
export function collectRarely(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
