import type { EndReason } from '../../shared/model/live.ts';

/** How a broadcast ended, in the fewest words that say by whom. */
export const endWords: Readonly<Record<EndReason, string>> = {
  stopped: 'You stopped it',
  'encoder-stopped': 'The encoder stopped',
  'ingest-lost': 'The encoder was lost',
  'encoder-failed': 'Tallylight’s encoder failed',
  terminated: 'Another program ended it',
  deleted: 'Stream deleted',
  suspended: 'Stream suspended',
  'service-closed': 'Tallylight closed',
  'service-crashed': 'Tallylight crashed',
};
