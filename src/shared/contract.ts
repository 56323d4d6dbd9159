import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { type ErrorCode, ErrorDetails, errorTable } from './errors.ts';
import { ApiKey, ApiKeyName } from './model/api-key.ts';
import { AudioMeter } from './model/audio-meter.ts';
import { EncodeQuality, PlaybackReport, Source } from './model/live.ts';
import { Settings, SettingsChanges } from './model/settings.ts';
import { NewStream, StreamChanges } from './model/stream.ts';
import { FolderListing, ServiceInfo, SessionView, StreamLive, StreamsEvent, StreamView } from './model/views.ts';

/** Every code of the error table as oRPC's error map: errors cross as data, never as classes. */
const errors = Object.fromEntries(
  Object.entries(errorTable).map(([code, { status }]) => [code, { status, data: ErrorDetails.optional() }]),
) as Record<ErrorCode, { status: number; data: z.ZodOptional<typeof ErrorDetails> }>;

const call = oc.errors(errors);

/** Chosen by each page; see `playback.report`. */
const PageId = z.string().min(1).max(64);

const StreamId = z.object({ streamId: z.string() });

/**
 * Every call and event between the app's own screens and the service.
 *
 * Each `watch…` is an event iterator: a new listener first gets the current value, then every change, until it cancels.
 */
export const contract = {
  service: {
    watch: call.output(eventIterator(ServiceInfo)),
    /** The service's clock, at once and then every 2 s, epoch milliseconds. A longer silence means the service is lost. */
    beat: call.output(eventIterator(z.object({ now: z.number() }))),
    /** This computer is online again, as a page on it has heard. Broadcasts that wait to reconnect do so at once. */
    networkReturned: call,
  },
  stream: {
    create: call.input(NewStream).output(StreamView),
    update: call.input(z.object({ streamId: z.string(), changes: StreamChanges })).output(StreamView),
    delete: call.input(StreamId),
    /** Every stream, newest first, then only changes; `followStreams` puts them together. */
    watchAll: call.output(eventIterator(StreamsEvent)),
    /** One stream; ends with NOT_FOUND when it is deleted. With a `pageId`, reports tell the page's own monitor from others. */
    watch: call.input(z.object({ streamId: z.string(), pageId: PageId.optional() })).output(eventIterator(StreamLive)),
    /** How loud a stream is, up to five times a second while it is on air; no `meter` if there is nothing to measure. Ends as `watch`. */
    watchAudio: call.input(StreamId).output(eventIterator(z.object({ meter: AudioMeter.optional() }))),
    /** The stream key, which no other call returns. */
    revealKey: call.input(StreamId).output(z.object({ streamKey: z.string() })),
    /** Makes a new stream key. The old one is refused from then on, and an encoder still using it is disconnected. */
    renewKey: call.input(StreamId),
  },
  session: {
    /** The broadcasts of a stream, newest first. */
    list: call
      .input(z.object({ streamId: z.string(), limit: z.int().min(1).max(100).default(20) }))
      .output(z.array(SessionView)),
  },
  broadcast: {
    /** Starts a one-click broadcast and answers once it is under way; `stream.watch` reports the rest. */
    goLive: call.input(z.object({ streamId: z.string(), source: Source, quality: EncodeQuality.default('720p30') })),
    /** Ends the stream's broadcast, whether one-click or from another encoder. Answers once it has ended, in under 5 s. */
    stop: call.input(StreamId),
    /** Lets a one-click broadcast that lost its ingest try again now, whether it pauses or waits for an answer. */
    reconnectNow: call.input(StreamId),
    /** Accepts the stream's encoder again after *Stop* refused it. */
    letIn: call.input(StreamId),
    /** Chooses which renditions of the running broadcast are made, by profile name, for this broadcast only. */
    setRenditions: call.input(z.object({ streamId: z.string(), names: z.array(z.string()).max(100) })),
    /** The owner has seen that this broadcast was lost. */
    dismissLost: call.input(z.object({ streamId: z.string(), sessionId: z.string() })),
  },
  playback: {
    /**
     * What a page's monitor sees: sent about once a second while it plays or should play, and `closed` at the end. Each page
     * makes up its own `pageId`; its newest report counts, for 5 s.
     */
    report: call.input(z.object({ streamId: z.string(), pageId: PageId, report: PlaybackReport })),
  },
  encoder: {
    /** A profile for OBS to import, as a folder of files. It contains the stream key only if asked for. */
    obsProfile: call
      .input(z.object({ streamId: z.string(), withKey: z.boolean() }))
      .output(z.object({ name: z.string(), files: z.array(z.object({ name: z.string(), text: z.string() })) })),
  },
  apiKey: {
    list: call.output(z.array(ApiKey)),
    /** The secret is returned here and never again. */
    create: call.input(z.object({ name: ApiKeyName })).output(z.object({ apiKey: ApiKey, secret: z.string() })),
    revoke: call.input(z.object({ id: z.string() })),
  },
  settings: {
    get: call.output(Settings),
    update: call.input(SettingsChanges).output(Settings),
  },
  file: {
    /** Lists a folder of this computer; by default the user's video folder or home. */
    browse: call.input(z.object({ folder: z.string().optional() })).output(FolderListing),
  },
};
