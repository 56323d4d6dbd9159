/** A secret store's location as users give it: `os`, `memory`, or `file:` and a path. */
export function formatSecretsLocation({ kind, path }: { kind: string; path?: string | undefined }): string {
  return path === undefined ? kind : `${kind}:${path}`;
}
