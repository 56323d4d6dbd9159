import { useEffect, useState } from 'react';
import type { EncodeChoice, EncodePreview } from '../../../shared/model/encode-settings.ts';
import type { Source } from '../../../shared/model/source.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { isSentFromHere } from '../../../shared/one-click-failure.ts';
import { useConnectionState } from '../../hooks/use-connection-state.ts';
import { useKept } from '../../hooks/use-kept.ts';
import { useLatest } from '../../hooks/use-latest.ts';
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

/** How to encode, as it is being chosen. */
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

/** Typing stops before the cost is asked for. */
const settleMs = 200;

/** The choice for a stream, starting with its last one, and what it will cost with this source. */
export function useEncodeChoice(live: StreamLive, source: Source | undefined): EncodeChoosing {
  const [draft, setDraft] = useKept(`encode ${live.stream.id}`, JSON.stringify(live.lastChoice ?? null), () =>
    initialEncodeDraft(live),
  );
  useEncodeOnAir(live, draft, setDraft);
  const parsed = parseEncodeDraft(draft);
  const choice = 'choice' in parsed ? parsed.choice : undefined;
  // A broadcast measures its upload and its encoder.
  const preview = usePreview(live.stream.id, source, choice, isSentFromHere(live.oneClick));
  return {
    draft,
    edit: (changes) => setDraft({ ...draft, ...changes }),
    choose: (kind) => setDraft(chooseKind(draft, kind, preview?.settings)),
    faults: 'faults' in parsed ? parsed.faults : {},
    choice,
    preview,
  };
}

/** The next broadcast begins with the quality of this one, whoever chose it. While one runs, nothing can be chosen here. */
function useEncodeOnAir({ oneClick }: StreamLive, draft: EncodeDraft, setDraft: (draft: EncodeDraft) => void): void {
  const onAir = useSameByContent('encode' in oneClick ? oneClick.encode : undefined);
  const latest = useLatest({ draft, setDraft });
  useEffect(() => {
    const { draft, setDraft } = latest.current;
    if (onAir !== undefined) setDraft(takeOverEncode(draft, onAir));
  }, [onAir, latest]);
}

/** Asks for the cost when the choice has settled, after each broadcast, and when contact is back. The last answer stays until the next one. */
function usePreview(
  streamId: string,
  source: Source | undefined,
  encode: EncodeChoice | undefined,
  isSending: boolean,
): EncodePreview | undefined {
  const { connection } = useStore();
  const isOpen = useConnectionState().kind === 'open';
  const [preview, setPreview] = useState<EncodePreview>();
  const asked = useSameByContent(source && encode && { question: { streamId, source, encode }, isSending });
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
