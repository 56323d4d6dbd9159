import type { ServiceInfo, StreamLive } from '../../../shared/model/views.ts';
import type { PagePlace } from '../../client/is-desktop-page.ts';
import { monitorPlaybackBase } from '../../client/playback-base.ts';

/** Where a stream is published to, without its key, and where it is played. */
export interface StreamUrls {
  ingest: string;
  playback: string;
  /** The playback as this page reaches it. */
  monitor: string;
  /** The ingest and playback URLs as this computer reaches them, if a service domain makes them different. */
  local: { ingestUrl: string; playbackUrl: string } | undefined;
}

/**
 * The URLs of a stream, on this computer or on its remote service; undefined if that service hasn't said which region is nearest. A
 * broadcast that goes to another region is played from there: ingest and playback always belong to the same region.
 */
export function findStreamUrls(
  page: PagePlace,
  { stream, service: remote, region }: Pick<StreamLive, 'stream' | 'service' | 'region'>,
  own: Pick<ServiceInfo, 'ingestBaseUrl' | 'playbackBaseUrl' | 'localIngestBaseUrl' | 'localPlaybackBaseUrl'>,
): StreamUrls | undefined {
  const playlist = `${stream.playbackId}/index.m3u8`;
  if (remote !== undefined) {
    if (remote.pair === undefined) return undefined;
    const playback = `${remote.pair.playback}/${playlist}`;
    return { ingest: remote.pair.ingest, playback, monitor: playback, local: undefined };
  }
  if (region !== undefined && !region.isOwn) {
    const playback = `${region.playback}/${playlist}`;
    return { ingest: region.ingest, playback, monitor: playback, local: undefined };
  }
  const { ingestBaseUrl, playbackBaseUrl, localIngestBaseUrl, localPlaybackBaseUrl } = own;
  return {
    ingest: ingestBaseUrl,
    playback: `${playbackBaseUrl}/${playlist}`,
    monitor: `${monitorPlaybackBase(page, localPlaybackBaseUrl)}/${playlist}`,
    local:
      localIngestBaseUrl === ingestBaseUrl
        ? undefined
        : { ingestUrl: localIngestBaseUrl, playbackUrl: `${localPlaybackBaseUrl}/${playlist}` },
  };
}
