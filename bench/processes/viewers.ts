import { setTimeout as sleep } from 'node:timers/promises';
import { answerParent } from './answer.ts';
import { HttpConnection } from './http-connection.ts';
import { PartTimeline } from './part-timeline.ts';

/** Starts viewers of one rendition in the folder `path`. */
export interface ViewersQuestion {
  port: number;
  path: string;
  count: number;
}

/** A reply: where the part ends on the media timeline in ms, and when its last byte arrived, in Unix milliseconds. */
type Answer = [endMs: number, at: number];

/** Measurements since the start or the last `reset`. */
export interface ViewersReport {
  /** Playlists that were the first to list a part. */
  playlists: Answer[];
  parts: Answer[];
  errors: string[];
  /** CPU use of this process, as a share of a core. */
  cpuPercent: number;
}

/** Viewers join one after another within a second. */
const arrivalMs = 1_000;

const timeline = new PartTimeline();
let playlists: Answer[] = [];
let parts: Answer[] = [];
let errors: string[] = [];
let cpuBefore = process.cpuUsage();
let from = performance.now();

answerParent(async (question: ViewersQuestion | 'reset' | 'report'): Promise<ViewersReport | undefined> => {
  if (question === 'report') {
    const { user, system } = process.cpuUsage(cpuBefore);
    return { playlists, parts, errors, cpuPercent: (user + system) / 10 / (performance.now() - from) };
  }
  if (question === 'reset') {
    [playlists, parts, errors, cpuBefore, from] = [[], [], [], process.cpuUsage(), performance.now()];
    return undefined;
  }
  const first = await HttpConnection.open(question.port);
  timeline.begin((await first.get(`${question.path}index.m3u8`)).body.toString());
  first.close();
  for (let viewer = 0; viewer < question.count; viewer += 1) {
    void view(question).catch((error: Error) => errors.push(error.message));
    await sleep(arrivalMs / question.count);
  }
  return undefined;
});

async function view({ port, path }: ViewersQuestion): Promise<never> {
  const [forPlaylists, forParts] = await Promise.all([HttpConnection.open(port), HttpConnection.open(port)]);
  let next = timeline.readNext((await forPlaylists.get(`${path}index.m3u8`)).body.toString());
  let fetching: Promise<unknown> = Promise.resolve();
  for (;;) {
    const { status, body } = await forPlaylists.get(
      `${path}index.m3u8?_HLS_msn=${next.msn}&_HLS_part=${next.index}&_HLS_skip=YES`,
    );
    const at = performance.timeOrigin + performance.now();
    if (status !== 200) throw new Error(`A playlist request returned ${status}.`);
    const text = body.toString('latin1');
    for (const part of timeline.readPartsFrom(text, next)) {
      playlists.push([part.endMs, at]);
      const fetchPart = async () => {
        const answer = await forParts.get(`${path}${part.name}`);
        if (answer.status !== 200) errors.push(`A part request returned ${answer.status}.`);
        parts.push([part.endMs, performance.timeOrigin + performance.now()]);
      };
      // A failed part is counted, and the next one is fetched anyway.
      fetching = fetching.then(fetchPart).catch((error: Error) => errors.push(error.message));
    }
    next = timeline.readNext(text);
  }
}
