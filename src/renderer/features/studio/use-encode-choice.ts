import { useEffect, useState } from 'react';
import type { EncodeChoice, EncodePreview } from '../../../shared/model/encode-settings.ts';
import type { EncoderName } from '../../../shared/model/encoder.ts';
import type { Source } from '../../../shared/model/source.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { isSentFromHere } from '../../../shared/sent-from-here.ts';
import { useConnectionState } from '../../hooks/use-connection-state.ts';
import { useKept } from '../../hooks/use-kept.ts';
import { useLatest } from '../../hooks/use-latest.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useSameByContent } from '../../hooks/use-same-by-content.ts';
import { useStore } from '../../store/store-context.tsx';
import {
  chooseKind,
  type EncodeDraft,
  type EncodeFaults,
  initialEncodeDraft,
  parseEncodeDraft,
  takeOverEncode,
} from './encode-draft.ts';

/** The quality that is being chosen. */
export interface EncodeChoosing {
  draft: EncodeDraft;
  edit: (changes: Partial<Omit<EncodeDraft, 'kind'>>) => void;
  choose: (kind: EncodeDraft['kind']) => void;
  faults: EncodeFaults;
  /** Undefined while a field is wrong. */
  choice: EncodeChoice | undefined;
  /** What going live would encode and cost; undefined while that is unknown. */
  preview: EncodePreview | undefined;
}

interface PreviewQuestion {
  streamId: string;
  source: Source;
  encode: EncodeChoice;
}

/** The cost is asked for only once typing has paused this long. */
const settleMs = 200;

/** The choice for a stream, starting with its last one, and what it will cost with this source and the encoder in use. */
export function useEncodeChoice(
  live: StreamLive,
  source: Source | undefined,
  encoder: EncoderName | undefined,
): EncodeChoosing {
  const [draft, setDraft] = useKept(`encode ${live.stream.id}`, JSON.stringify(live.lastChoice ?? null), () =>
    initialEncodeDraft(live),
  );
  useEncodeOnAir(live, draft, setDraft);
  const parsed = parseEncodeDraft(draft);
  const choice = 'choice' in parsed ? parsed.choice : undefined;
  const others = useOthersOnAir(live.stream.id);
  const preview = usePreview(source && choice && { streamId: live.stream.id, source, encode: choice }, {
    // A broadcast measures its upload and its encoder.
    isSending: isSentFromHere(live.oneClick),
    profiles: live.stream.profiles,
    encoder,
    others,
  });
  return {
    draft,
    edit: (changes) => setDraft({ ...draft, ...changes }),
    choose: (kind) => setDraft(chooseKind(draft, kind, preview?.settings)),
    faults: 'faults' in parsed ? parsed.faults : {},
    choice,
    preview,
  };
}

/** The ids of the other streams of this computer that are on air: they may use the same upload. */
function useOthersOnAir(streamId: string): string[] {
  const streams = useLiveValue(useStore().streams);
  const all = streams.kind === 'known' ? streams.value : [];
  return all.filter(({ id, air }) => id !== streamId && air.kind !== 'off-air').map(({ id }) => id);
}

/** The next broadcast begins with this one's quality, whoever chose it. While one runs, nothing can be chosen here. */
function useEncodeOnAir({ oneClick }: StreamLive, draft: EncodeDraft, setDraft: (draft: EncodeDraft) => void): void {
  const onAir = useSameByContent('encode' in oneClick ? oneClick.encode : undefined);
  const latest = useLatest({ draft, setDraft });
  useEffect(() => {
    const { draft, setDraft } = latest.current;
    if (onAir !== undefined) setDraft(takeOverEncode(draft, onAir));
  }, [onAir, latest]);
}

/**
 * Asks for the cost when the choice has settled, when `dependsOn` changes, and when contact is back. The last answer stays until the next.
 */
function usePreview(question: PreviewQuestion | undefined, dependsOn: unknown): EncodePreview | undefined {
  const { connection } = useStore();
  const isOpen = useConnectionState().kind === 'open';
  const [preview, setPreview] = useState<EncodePreview>();
  const asked = useSameByContent(question && { question, dependsOn });
  useEffect(() => {
    if (asked === undefined || !isOpen) return;
    let isOld = false;
    const timer = setTimeout(async () => {
      // Without an answer there is no preview, and nothing else depends on it.
      const answer = await connection.client.broadcast.previewEncode(asked.question).catch(() => undefined);
      if (!isOld) setPreview(answer);
    }, settleMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [asked, isOpen, connection]);
  return asked === undefined ? undefined : preview;
}
