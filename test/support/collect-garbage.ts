import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Frees what nothing refers to any more, at once. */
export const collectGarbage = runInNewContext('gc') as () => void;
