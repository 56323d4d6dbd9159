import { CopyField } from '../../components/copy-field.tsx';
import { noteIngest } from './ingest-note.ts';

interface IngestFieldProps {
  label: string;
  url: string;
  /** It is another service's. */
  isElsewhere: boolean;
}

/** An ingest URL to paste into another program, with a note if programs on other computers can't reach it. */
export function IngestField({ label, url, isElsewhere }: IngestFieldProps) {
  return <CopyField label={label} shown={url} note={noteIngest(url, isElsewhere, window)} />;
}
