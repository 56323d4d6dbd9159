import { secretKey } from '../shared/page-session.ts';
import { addressCommand } from '../shared/words/way-in-words.ts';
import { formatHashSource } from './hash-source.ts';

/** The secret is outside it, so that its hash is always the same. */
const script = `
try {
  localStorage.setItem('${secretKey}', document.currentScript.dataset.secret);
  location.replace('/');
} catch {
  document.querySelector('p').textContent =
    "This browser doesn't let this page store anything. Allow that, and get another address with: ${addressCommand}";
}
`;

/** The policy of {@link formatSignInPage}: only its own script. */
export const signInPolicy = `default-src 'none'; script-src ${formatHashSource(script)}; frame-ancestors 'none'`;

/**
 * The page that hands a new session's secret to the browser, stores it for this origin and opens the screens. No address contains the
 * secret: browsers would keep it in their history.
 */
export function formatSignInPage(pageSecret: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark light">
<title>Tallylight</title>
</head>
<body>
<p>Opening Tallylight.</p>
<noscript>Tallylight needs JavaScript to show its screens.</noscript>
<script data-secret="${pageSecret}">${script}</script>
</body>
</html>
`;
}
