import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale } from './build-if-stale.ts';
import { exitWithReason } from './exit-with-reason.ts';
import { root } from './paths.ts';

await buildIfStale().catch(exitWithReason);
await import(pathToFileURL(join(root, 'bench', 'index.ts')).href);
