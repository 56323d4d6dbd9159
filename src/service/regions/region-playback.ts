import { pause } from '../../shared/pause.ts';

/** How long an answer may take. */
const answerWithinMs = 5_000;

/**
 * Resolves once viewers can play a stream of another region: its playlist is there. A failed request is asked again.
 *
 * @param playlistUrl of the multivariant playlist
 * @param pauseMs how long to wait before asking again
 * @returns whether it can be played; false once the signal aborts
 */
export async function untilPlayable(playlistUrl: string, signal: AbortSignal, pauseMs = 1_000): Promise<boolean> {
  while (!signal.aborted) {
    if (await isThere(playlistUrl, signal)) return !signal.aborted;
    await pause(pauseMs, signal);
  }
  return false;
}

async function isThere(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
    const answer = await fetch(url, { signal: limit, redirect: 'error' });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    // Not reachable, refused, too slow or aborted: it isn't there now.
    return false;
  }
}
