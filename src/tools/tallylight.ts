import { pathToFileURL } from 'node:url';
import { buildIfStale } from './build-if-stale.ts';
import { exitWithReason } from './exit-with-reason.ts';
import { commandLine } from './paths.ts';
import { enterStartFolder } from './start-folder.ts';

await buildIfStale().catch(exitWithReason);
enterStartFolder('tallylight');
await import(pathToFileURL(commandLine).href);
