/** Follows a live media playlist as a low-latency player does, with blocking reload; returns every version until the end. */
export async function followPlaylist(url: string): Promise<string[]> {
  const texts: string[] = [];
  for (let query = ''; ; ) {
    const response = await fetch(url + query);
    const text = await response.text();
    // The reload timed out: ask for the current playlist.
    query = '';
    if (response.status === 503) continue;
    if (!response.ok) throw new Error(`${response.status} for ${url}: ${text}`);
    texts.push(text);
    if (text.includes('#EXT-X-ENDLIST')) return texts;
    const [, msn, part] = /^#EXT-X-PRELOAD-HINT:TYPE=PART,URI="(\d+)-(\d+)\.m4s"$/m.exec(text) ?? [];
    if (msn === undefined) throw new Error(`${url} has no hint:\n${text}`);
    query = `?_HLS_msn=${msn}&_HLS_part=${part}`;
  }
}
