import { readEightSeconds } from './flv-fixture.ts';
import { placeTags, startTestLadder } from './transcode-stand.ts';

// Encodes until it is killed, and says so when pictures come out.
const { ladder } = await startTestLadder({
  onTag: (_, { kind }) => kind === 'video' && process.stdout.write('.'),
});
for (const tag of placeTags(readEightSeconds())) ladder.push(tag);
setInterval(() => {}, 1_000);
