import { OneClickChoice } from '../../shared/model/one-click-choice.ts';
import type { Logger } from '../ports.ts';
import type { ChoiceRow, ChoiceTable } from '../store/choice-table.ts';
import { type KeptValues, openKeptValues } from '../store/kept-values.ts';
import type { StoreWriter } from '../store/store-writer.ts';

/** The choices that each stream last went live with from this computer, by stream id. */
export type ChoiceLedger = Pick<KeptValues<OneClickChoice>, 'find' | 'save'>;

/** Opens the ledger with the stored choices. One that this version doesn't know is left out, with a line in the log. */
export function openChoiceLedger(
  table: ChoiceTable,
  writer: Pick<StoreWriter, 'add'>,
  log: Logger,
): KeptValues<OneClickChoice> {
  const read = ({ streamId, source, encode }: ChoiceRow & { streamId: string }) => {
    try {
      return [[streamId, OneClickChoice.parse({ source: JSON.parse(source), encode: JSON.parse(encode) })] as const];
    } catch (error) {
      log.warn({ err: error, streamId }, 'What a stream last went live with is unknown to this version.');
      return [];
    }
  };
  return openKeptValues<OneClickChoice>({
    name: 'choice',
    stored: table.list().flatMap(read),
    write: (streamId, choice) =>
      choice === undefined
        ? table.delete(streamId)
        : table.set(streamId, { source: JSON.stringify(choice.source), encode: JSON.stringify(choice.encode) }),
    writer,
  });
}
