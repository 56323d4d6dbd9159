import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import type { AirState } from '../../shared/model/live.ts';
import { getHeardSession, heardSession, type MeantSilences } from '../health/meant-silences.ts';
import type { SoundTrouble } from '../health/sound-judge.ts';
import type { OneClicks } from '../one-click/one-clicks.ts';
import { watchMeter } from '../services/watch-meter.ts';
import type { StreamNews } from '../streams/stream-change.ts';

export interface RemoteSoundOptions {
  oneClicks: Pick<OneClicks, 'soundMeter' | 'onHeard'>;
  silences: MeantSilences;
  changes: StreamNews;
}

/**
 * The sound of broadcasts to remote services, as one click sends it. The interface has no sound meter, so other programs' sound is
 * unknown. Streams are named as in the contract.
 */
export class RemoteSound {
  readonly #options: RemoteSoundOptions;

  constructor(options: RemoteSoundOptions) {
    this.#options = options;
  }

  watch(streamId: string, signal: AbortSignal): AsyncGenerator<{ meter?: AudioMeter }, void> {
    const { oneClicks, changes } = this.#options;
    const read = () => oneClicks.soundMeter(streamId)?.read();
    return watchMeter(read, { streamId, heard: [oneClicks.onHeard], changes, signal });
  }

  judge(streamId: string): readonly SoundTrouble[] {
    return this.#options.oneClicks.soundMeter(streamId)?.judge() ?? [];
  }

  /** Whether the owner has confirmed that the silence of the broadcast with this air state is intended. */
  isSilenceMeant(streamId: string, air: AirState): boolean {
    return this.#options.silences.holds(streamId, heardSession(air, this.#heardMs(streamId)));
  }

  /** @throws {ServiceError} OFF_AIR */
  acceptSilence(streamId: string, air: AirState): void {
    const { silences, changes } = this.#options;
    silences.accept(streamId, getHeardSession(air, this.#heardMs(streamId)));
    changes.emit({ kind: 'changed', streamId });
  }

  #heardMs(streamId: string): number {
    return this.#options.oneClicks.soundMeter(streamId)?.heardMs ?? 0;
  }
}
