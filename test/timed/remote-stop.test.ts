import { expect, test } from 'vitest';
import { openSending } from '../support/sending-stand.ts';

test('Stop takes less than 5 s though nothing comes back, neither from the ingest nor from its service', async () => {
  const { streams, goOnAir, becomeDeaf, answerWith } = await openSending();
  await goOnAir();
  becomeDeaf();
  answerWith('never');
  const since = performance.now();
  await streams.stop('show');
  expect(performance.now() - since).toBeLessThan(5_000);
});
