import { escapeHtml } from '../shared/escape-html.ts';
import { addressCommand, adviseOnAddress } from '../shared/words/way-in-words.ts';
import { formatHashSource } from './hash-source.ts';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 36rem; margin: 20vh auto 0; padding: 0 24px; }
h1 { font-size: 28px; line-height: 1.2; }
`;

/** The policy of {@link formatRefusalPage}: only its own style. */
export const refusalPolicy = `default-src 'none'; style-src ${formatHashSource(style)}; frame-ancestors 'none'`;

/**
 * The page for a browser that may not see the screens: why, and how to get an address that opens them.
 *
 * @param origin where the browser has reached us, if that is an address of ours; any other would get the address's token
 */
export function formatRefusalPage(sentence: string, origin: string | undefined): string {
  const elsewhere = origin === undefined ? undefined : adviseOnAddress(origin);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Tallylight</title>
<style>${style}</style>
</head>
<body>
<main role="alert">
<h1>This browser can't open Tallylight yet</h1>
<p>${sentence}</p>
<p>Tallylight prints an address each time it starts, and a new one whenever one is used. Look in its terminal, or in the log of
the service that runs it, and open the last one: it works without a restart, and opens one browser. Browsers that were already open
stay signed in. If you can't find it, get another one with this command, where Tallylight was started. If you start it with
--data-dir, add that here too.</p>
<pre>${addressCommand}</pre>${elsewhere === undefined ? '' : `\n<p>${escapeHtml(elsewhere)}</p>`}
</main>
</body>
</html>
`;
}
