import { pathToFileURL } from 'node:url';
import { buildIfStale } from './build-if-stale.ts';
import { exitWithReason } from './exit-with-reason.ts';
import { commandLine } from './paths.ts';

await buildIfStale().catch(exitWithReason);
await import(pathToFileURL(commandLine).href);
