import { useEffect, useState } from 'react';
import type { EncodeChoice, EncodePreview } from '../../../shared/model/encode-settings.ts';
import type { Source } from '../../../shared/model/source.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { useStore } from '../../store/store-context.tsx';
import { chooseKind, type EncodeDraft, type EncodeFaults, initialEncodeDraft, parseEncodeDraft } from './encode-draft.ts';

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
  const [draft, setDraft] = useState(() => initialEncodeDraft(live));
  const parsed = parseEncodeDraft(draft);
  const choice = 'choice' in parsed ? parsed.choice : undefined;
  const preview = usePreview(live.stream.id, source, choice);
  return {
    draft,
    edit: (changes) => setDraft({ ...draft, ...changes }),
    choose: (kind) => setDraft(chooseKind(draft, kind, preview?.settings)),
    faults: 'faults' in parsed ? parsed.faults : {},
    choice,
    preview,
  };
}

/** Asks for the cost when the choice has settled. The last answer stays until the next one. */
function usePreview(streamId: string, source: Source | undefined, encode: EncodeChoice | undefined): EncodePreview | undefined {
  const { connection } = useStore();
  const [preview, setPreview] = useState<EncodePreview>();
  // Compared by content: each render makes new objects.
  const asked = source && encode && JSON.stringify({ streamId, source, encode });
  useEffect(() => {
    if (asked === undefined) return;
    let isOld = false;
    const timer = setTimeout(async () => {
      // Without an answer there is no preview, and nothing else depends on it.
      const answer = await connection.client.broadcast.previewEncode(JSON.parse(asked)).catch(() => undefined);
      if (!isOld) setPreview(answer);
    }, settleMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [asked, connection]);
  return asked === undefined ? undefined : preview;
}
