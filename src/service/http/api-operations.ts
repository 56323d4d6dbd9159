import { z } from 'zod';
import { IngestPair } from '../../shared/model/ingest-pair.ts';
import { Session } from '../../shared/model/session.ts';
import { NewStream, Stream, StreamChanges } from '../../shared/model/stream.ts';
import { IngestQuery, SessionListQuery, StreamListQuery } from './list-query.ts';
import type { Operation } from './operation.ts';

const pageHeaders = { Link: 'The URL of the next page, if there is one, as `rel="next"` (RFC 8288).' };
const StreamId = { id: 'The id of a stream.' };

/** Every operation of the public interface (Live Streaming Service Interface, "Endpoints"), by operation id. */
export const apiOperations = {
  createStream: {
    method: 'POST',
    path: '/stream',
    tag: 'Streams',
    summary: 'Creates a stream.',
    body: NewStream,
    answers: { 201: { description: 'The new stream.', schema: Stream } },
    errors: ['CONFLICTING_INPUT'],
  },
  getStreams: {
    method: 'GET',
    path: '/stream',
    tag: 'Streams',
    summary: 'Lists streams and sessions, newest first.',
    query: StreamListQuery,
    answers: { 200: { description: 'One page.', schema: z.array(z.union([Stream, Session])), headers: pageHeaders } },
    errors: ['MALFORMED_REQUEST'],
  },
  getStream: {
    method: 'GET',
    path: '/stream/{id}',
    tag: 'Streams',
    summary: 'Fetches a stream or session.',
    params: { id: 'The id of a stream or session.' },
    answers: { 200: { description: 'The stream or session.', schema: z.union([Stream, Session]) } },
    errors: ['NOT_FOUND'],
  },
  updateStream: {
    method: 'PATCH',
    path: '/stream/{id}',
    tag: 'Streams',
    summary: 'Changes a stream. `profiles` and `record` cannot be changed while it is active.',
    params: StreamId,
    body: StreamChanges,
    answers: { 204: { description: 'Changed.' } },
    errors: ['NOT_FOUND', 'CONFLICTING_INPUT', 'STREAM_ACTIVE', 'IS_SESSION'],
  },
  deleteStream: {
    method: 'DELETE',
    path: '/stream/{id}',
    tag: 'Streams',
    summary: 'Deletes a stream and ends its running session. Its stream key is refused from then on.',
    params: StreamId,
    answers: { 204: { description: 'Deleted.' } },
    errors: ['NOT_FOUND', 'IS_SESSION'],
  },
  terminateStream: {
    method: 'DELETE',
    path: '/stream/{id}/terminate',
    tag: 'Streams',
    summary: 'Ends the running session of a stream. The stream can be used again.',
    params: StreamId,
    answers: { 204: { description: 'Ended.' } },
    errors: ['NOT_FOUND', 'IS_SESSION', 'TOO_MANY_REQUESTS'],
  },
  getStreamSessions: {
    method: 'GET',
    path: '/stream/{id}/sessions',
    tag: 'Sessions',
    summary: 'Lists the sessions of a stream, newest first.',
    params: StreamId,
    query: SessionListQuery,
    answers: { 200: { description: 'One page.', schema: z.array(Session), headers: pageHeaders } },
    errors: ['NOT_FOUND', 'MALFORMED_REQUEST'],
  },
  getSessions: {
    method: 'GET',
    path: '/session',
    tag: 'Sessions',
    summary: 'Lists the sessions of all streams, newest first.',
    query: SessionListQuery,
    answers: { 200: { description: 'One page.', schema: z.array(Session), headers: pageHeaders } },
    errors: ['MALFORMED_REQUEST'],
  },
  getSession: {
    method: 'GET',
    path: '/session/{id}',
    tag: 'Sessions',
    summary: 'Fetches a session.',
    params: { id: 'The id of a session.' },
    answers: { 200: { description: 'The session.', schema: Session } },
    errors: ['NOT_FOUND'],
  },
  getIngest: {
    method: 'GET',
    path: '/ingest',
    tag: 'Ingest',
    summary: 'Lists the ingest and playback base URLs of the nearest region, or of all regions.',
    open: true,
    query: IngestQuery,
    answers: { 200: { description: 'One pair, or with `first=false` one pair per region.', schema: z.array(IngestPair) } },
    errors: ['MALFORMED_REQUEST'],
  },
} as const satisfies Record<string, Operation>;

export type ApiOperations = typeof apiOperations;
