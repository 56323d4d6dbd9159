import { pause } from '../../shared/pause.ts';
import { claimAlarm } from './alarm-claim.ts';

/** Frequencies in Hz, in order: two falling tones, three times. */
const tonesHz = [880, 587, 880, 587, 880, 587];
/** Duration of each tone and of its fades, in seconds. */
const toneSeconds = 0.22;
const fadeSeconds = 0.02;
/** Audible across a room, without distortion. */
const loudness = 0.35;
/**
 * How long the browser may take to let the sound out, in milliseconds: a busy computer has to open its audio device first. A blocked page
 * waits for its first press, maybe for hours.
 */
const patienceMs = 10_000;

/**
 * Plays the alarm once. It stays silent on a page that the user hasn't interacted with yet. With a `reason`, only one of the pages that may
 * sound in this browser plays it. It doesn't begin once `over` has aborted.
 */
export async function playAlarm(reason?: string, over?: AbortSignal): Promise<void> {
  const context = new AudioContext();
  try {
    const isLet = await Promise.race([context.resume().then(() => true), pause(patienceMs).then(() => false)]);
    if (!isLet || over?.aborted || (reason !== undefined && !(await claimAlarm(reason))) || over?.aborted) return;
    const gain = context.createGain();
    gain.gain.value = 0;
    gain.connect(context.destination);
    const oscillator = context.createOscillator();
    oscillator.connect(gain);
    tonesHz.forEach((hz, index) => {
      const startsAt = context.currentTime + index * toneSeconds;
      oscillator.frequency.setValueAtTime(hz, startsAt);
      gain.gain.setValueAtTime(0, startsAt);
      gain.gain.linearRampToValueAtTime(loudness, startsAt + fadeSeconds);
      gain.gain.setValueAtTime(loudness, startsAt + toneSeconds - 2 * fadeSeconds);
      gain.gain.linearRampToValueAtTime(0, startsAt + toneSeconds - fadeSeconds);
    });
    const ended = new Promise((resolve) => {
      oscillator.onended = resolve;
    });
    oscillator.start();
    oscillator.stop(context.currentTime + tonesHz.length * toneSeconds);
    await ended;
  } finally {
    await context.close();
  }
}
