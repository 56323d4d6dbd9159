import { readEightSeconds } from './flv-fixture.ts';
import { placeTags, startTestLadder } from './transcode-stand.ts';

// Encodes until it is killed, and prints a line when pictures come out.
const { ladder } = await startTestLadder({
  onUnit: ({ type }) => type === 'video' && process.stdout.write('.'),
});
for (const unit of placeTags(readEightSeconds())) ladder.push(unit);
setInterval(() => {}, 1_000);
