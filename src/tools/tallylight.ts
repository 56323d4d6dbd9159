import { pathToFileURL } from 'node:url';
import { buildIfStale } from './build-if-stale.ts';
import { commandLine } from './paths.ts';

await buildIfStale();
await import(pathToFileURL(commandLine).href);
