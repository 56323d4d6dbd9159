import { isLoopbackUrl } from '../../../shared/loopback-url.ts';
import { isDesktopPage } from '../../client/is-desktop-page.ts';
import { CopyField } from '../../components/copy-field.tsx';

/** An ingest URL to paste into another program, with a note if programs on other computers can't reach it. */
export function IngestField({ label, url }: { label: string; url: string }) {
  const remedy = isDesktopPage(window) ? ' For OBS elsewhere, run "npm run serve -- --host 0.0.0.0" instead of the app.' : '';
  return <CopyField label={label} shown={url} {...(isLoopbackUrl(url) && { note: `Works on this computer only.${remedy}` })} />;
}
