import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { type ErrorCode, ErrorDetails, errorTable } from './errors.ts';
import { ApiKey, ApiKeyName } from './model/api-key.ts';
import { EncodeQuality, Source } from './model/live.ts';
import { Settings, SettingsChanges } from './model/settings.ts';
import { NewStream, StreamChanges } from './model/stream.ts';
import { FolderListing, ServiceInfo, SessionView, StreamLive, StreamView } from './model/views.ts';

/** Every code of the error table as oRPC's error map: errors cross as data, never as classes. */
const errors = Object.fromEntries(
  Object.entries(errorTable).map(([code, { status }]) => [code, { status, data: ErrorDetails.optional() }]),
) as Record<ErrorCode, { status: number; data: z.ZodOptional<typeof ErrorDetails> }>;

const call = oc.errors(errors);

const StreamId = z.object({ streamId: z.string() });

/**
 * Every call and event between the app's own screens and the service.
 *
 * Each `watch…` is an event iterator: a new listener first hears the current value, then every change, until it cancels.
 */
export const contract = {
  service: {
    watch: call.output(eventIterator(ServiceInfo)),
  },
  stream: {
    create: call.input(NewStream).output(StreamView),
    update: call.input(z.object({ streamId: z.string(), changes: StreamChanges })).output(StreamView),
    delete: call.input(StreamId),
    /** Every stream, newest first. */
    watchAll: call.output(eventIterator(z.array(StreamView))),
    /** One stream; ends with NOT_FOUND when it is deleted. */
    watch: call.input(StreamId).output(eventIterator(StreamLive)),
    /** The stream key: only on purpose, never with anything else. */
    revealKey: call.input(StreamId).output(z.object({ streamKey: z.string() })),
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
