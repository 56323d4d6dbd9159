import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Frees unreferenced memory at once. */
export const collectGarbage = runInNewContext('gc') as () => void;
