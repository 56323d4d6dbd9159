import { expect, test } from 'vitest';
import { Sound, type SoundSource } from './source.ts';

const mix = (...sounds: SoundSource[]) =>
  Sound.safeParse({ inputs: sounds.map((of) => ({ of, levelDb: 0, isMuted: false })), limits: false });
const microphone = (id: string): SoundSource => ({ kind: 'microphone', device: { id, name: 'Microphone' } });

test('a mix contains each sound once', () => {
  expect(mix({ kind: 'of-picture' }, microphone('one'), microphone('two')).success).toBe(true);
  expect(mix({ kind: 'of-picture' }, { kind: 'of-picture' }).error?.issues).toMatchObject([
    { path: ['inputs'], message: 'must not contain the same sound twice' },
  ]);
  // Whatever the order of their fields.
  const reversed = { device: { name: 'Microphone', id: 'one' }, kind: 'microphone' } as const;
  expect(mix(microphone('one'), reversed).success).toBe(false);
});
