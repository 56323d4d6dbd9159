import { pathToFileURL } from 'node:url';
import { buildIfStale } from './build-if-stale.ts';
import { exitWithReason } from './exit-with-reason.ts';
import { headlessHost } from './paths.ts';
import { enterStartFolder } from './start-folder.ts';

// In this process: one process less to start, and signals arrive directly.
await buildIfStale().catch(exitWithReason);
enterStartFolder('serve');
await import(pathToFileURL(headlessHost).href);
