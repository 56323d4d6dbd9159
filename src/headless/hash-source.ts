import { createHash } from 'node:crypto';

/** The source that allows exactly this inline script or style (Content Security Policy Level 3, "hash-source"). */
export function formatHashSource(inline: string): string {
  return `'sha256-${createHash('sha256').update(inline).digest('base64')}'`;
}
