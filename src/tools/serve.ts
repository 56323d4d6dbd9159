import { pathToFileURL } from 'node:url';
import { buildIfStale } from './build-if-stale.ts';
import { headlessHost } from './paths.ts';

// In this process: one less to start, and signals arrive where they are meant.
await buildIfStale();
await import(pathToFileURL(headlessHost).href);
