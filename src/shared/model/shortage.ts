import { z } from 'zod';

/**
 * What was missing when a program couldn't be started:
 *
 * - `processes`: the user, the container or the computer may have no more of them, or of threads
 * - `own-files`: Tallylight has as many files, sockets and pipes open as it may
 * - `files`: the whole computer has as many open as it can
 * - `memory`: there is none left
 */
export const Shortage = z.enum(['processes', 'own-files', 'files', 'memory']);
export type Shortage = z.infer<typeof Shortage>;
