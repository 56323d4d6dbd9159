import type { HealthFacts } from './health-facts.ts';
import type { SoundTrouble } from './sound-judge.ts';

/** What is wrong with the sound, apart from its loudness. Only while audio arrives: what stands in for it is silence. */
export function soundVerdict({ sound = [], meters }: HealthFacts): SoundTrouble | undefined {
  return meters?.away === 'sound' ? undefined : sound.find(({ code }) => code !== 'loudness-off');
}

/** Whether the sound is too loud or too quiet. The least of all troubles: nobody misses anything. */
export function loudnessVerdict({ sound = [] }: HealthFacts): SoundTrouble | undefined {
  return sound.find(({ code }) => code === 'loudness-off');
}
