import { build } from './build-if-stale.ts';
import { exitWithReason } from './exit-with-reason.ts';

await build().catch(exitWithReason);
