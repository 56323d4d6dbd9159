import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { type ErrorCode, ErrorDetails, errorTable } from './errors.ts';
import { ApiKey, ApiKeyName } from './model/api-key.ts';
import { EncodeQuality, PlaybackReport, Source } from './model/live.ts';
import { Settings, SettingsChanges } from './model/settings.ts';
import { NewStream, StreamChanges } from './model/stream.ts';
import { FolderListing, ServiceInfo, SessionView, StreamLive, StreamsEvent, StreamView } from './model/views.ts';

/** Every code of the error table as oRPC's error map: errors cross as data, never as classes. */
const errors = Object.fromEntries(
  Object.entries(errorTable).map(([code, { status }]) => [code, { status, data: ErrorDetails.optional() }]),
) as Record<ErrorCode, { status: number; data: z.ZodOptional<typeof ErrorDetails> }>;

const call = oc.errors(errors);

/** Made up by each page, see `playback.report`. */
const PageId = z.string().min(1).max(64);

const StreamId = z.object({ streamId: z.string() });

/**
 * Every call and event between the app's own screens and the service.
 *
 * Each `watch…` is an event iterator: a new listener first hears the current value, then every change, until it cancels.
 */
export const contract = {
  service: {
    watch: call.output(eventIterator(ServiceInfo)),
    /** The service's clock at once and then every 2 s, epoch milliseconds: who hears nothing for longer has lost the service. */
    beat: call.output(eventIterator(z.object({ now: z.number() }))),
  },
  stream: {
    create: call.input(NewStream).output(StreamView),
    update: call.input(z.object({ streamId: z.string(), changes: StreamChanges })).output(StreamView),
    delete: call.input(StreamId),
    /** Every stream, newest first, then what changes: `followStreams` puts it together. */
    watchAll: call.output(eventIterator(StreamsEvent)),
    /** One stream; ends with NOT_FOUND when it is deleted. The page that asks is told of its own monitor as such. */
    watch: call.input(z.object({ streamId: z.string(), pageId: PageId.optional() })).output(eventIterator(StreamLive)),
    /** The stream key: only on purpose, never with anything else. */
    revealKey: call.input(StreamId).output(z.object({ streamKey: z.string() })),
    /** Makes a new stream key: the old one is refused from then on, and an encoder that still uses it is sent away. */
    renewKey: call.input(StreamId),
  },
  session: {
    /** The broadcasts of a stream, newest first. */
    list: call
      .input(z.object({ streamId: z.string(), limit: z.int().min(1).max(100).default(20) }))
      .output(z.array(SessionView)),
  },
  broadcast: {
    /** Starts a one-click broadcast, answers once it is under way; what follows is told by `stream.watch`. */
    goLive: call.input(z.object({ streamId: z.string(), source: Source, quality: EncodeQuality.default('720p30') })),
    /** Ends whatever broadcast runs on the stream, one-click or another encoder's; answers when it has ended, in under 5 s. */
    stop: call.input(StreamId),
    /** Ends the pause before the next attempt of a one-click broadcast that lost its ingest. */
    reconnectNow: call.input(StreamId),
    /** Takes the stream's encoder again, which has been refused since *Stop*. */
    letIn: call.input(StreamId),
    /** Which renditions of the running broadcast are made, by the names of their profiles: the choice holds for this broadcast. */
    setRenditions: call.input(z.object({ streamId: z.string(), names: z.array(z.string()).max(100) })),
    /** The owner has seen that this broadcast was lost. */
    dismissLost: call.input(z.object({ streamId: z.string(), sessionId: z.string() })),
  },
  playback: {
    /**
     * What a page's monitor sees, about once a second while it plays or should play, and `closed` at its end. `pageId` is made up by
     * the page: each page's newest report counts, for 5 s.
     */
    report: call.input(z.object({ streamId: z.string(), pageId: PageId, report: PlaybackReport })),
  },
  encoder: {
    /** A profile for OBS to import, as a folder of files. The stream key is in it only when it is asked for. */
    obsProfile: call
      .input(z.object({ streamId: z.string(), withKey: z.boolean() }))
      .output(z.object({ name: z.string(), files: z.array(z.object({ name: z.string(), text: z.string() })) })),
  },
  apiKey: {
    list: call.output(z.array(ApiKey)),
    /** The secret is in this answer and nowhere else, ever. */
    create: call.input(z.object({ name: ApiKeyName })).output(z.object({ apiKey: ApiKey, secret: z.string() })),
    revoke: call.input(z.object({ id: z.string() })),
  },
  settings: {
    get: call.output(Settings),
    update: call.input(SettingsChanges).output(Settings),
  },
  file: {
    /** A folder of this computer; without one, the user's video folder or home. */
    browse: call.input(z.object({ folder: z.string().optional() })).output(FolderListing),
  },
};
