/** Says that a remote service's ingests take media and stream keys unencrypted. `hosts` are the ingests' hosts, at least one. */
export function describePlainIngests(hosts: readonly string[]): string {
  return `Stream keys and media go to ${hosts.join(', ')} unencrypted, over rtmp://. The service's operator can offer rtmps:// instead.`;
}
