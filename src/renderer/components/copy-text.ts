/**
 * Puts `text` on the clipboard; returns whether it worked. A text that arrives later must be promised during the press: WebKit lets a page
 * copy only if it asks during the press. If the promise rejects, throws its error and copies nothing.
 */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  if (typeof text !== 'string' && (await copyPromised(text))) return true;
  return copyNow(await text);
}

/** Resolves with whether the clipboard took it: not every browser accepts promises (Clipboard API, "ClipboardItem Interface"). */
async function copyPromised(text: Promise<string>): Promise<boolean> {
  const blob = text.then((arrived) => new Blob([arrived], { type: 'text/plain' }));
  // A clipboard that refuses at once never awaits it: its rejection would be unhandled.
  blob.catch(() => {});
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return true;
  } catch {
    return false;
  }
}

/**
 * Falls back to `execCommand` if the asynchronous clipboard is missing (insecure context) or refused. That needs the key press
 * or click behind this call.
 */
async function copyNow(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyThroughSelection(text);
  }
}

function copyThroughSelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.setAttribute('aria-hidden', 'true');
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // An open dialog keeps the focus inside.
  (focused?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
