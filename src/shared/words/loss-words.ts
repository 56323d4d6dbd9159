import { assertNever } from '../assert-never.ts';
import { enhancedFeatures, type LossCause, type RefusalReason } from '../model/refusal.ts';
import { describeEnd } from './end-words.ts';
import { describePublisher } from './publisher-words.ts';
import { describeStoreProblem } from './store-fault-words.ts';

/**
 * Why an encoder was refused, disconnected or lost, in a sentence or two, for the person at the encoder. Encoders and screens show it,
 * so it never contains a key.
 */
export function describeLossCause(cause: LossCause): string {
  switch (cause.code) {
    case 'wrong-key':
      return 'Unknown stream key. Copy it again from Tallylight.';
    case 'old-key':
      return 'This stream key was replaced. Copy the new one from Tallylight.';
    case 'suspended':
      return 'This stream is suspended. Resume it in Tallylight.';
    case 'stopped':
      return 'This stream was stopped in Tallylight. Allow it there, or stop sending for a minute and try again.';
    case 'codec':
      return describeUnsupported(cause);
    case 'in-use':
      return `${describePublisher(cause.by)} took over this stream key.`;
    case 'wrong-app':
      return 'The address must end in /live. The stream key comes after it.';
    case 'rtmps':
      return 'RTMPS needs a TLS certificate in Settings. Without one, use rtmp:// in the encoder.';
    case 'certificate':
      return "The encoder rejected the TLS certificate. It must not have expired, name the encoder's server address, and come from an authority the encoder trusts.";
    case 'restless':
      return 'The stream restarted, jumped in time or changed its format more than 12 times in 10 s. Check the encoder, and try again after 10 s.';
    case 'store-unreadable':
      return describeStoreProblem({ fault: cause.fault });
    case 'key-renewed':
      return 'The stream has a new stream key. Copy it from Tallylight.';
    case 'broadcast-ended':
      return describeEnd(cause);
    case 'too-many-bytes':
      return `The encoder sent more than ${cause.maxBytes / 2 ** 20} MiB for one second of media. Lower its bitrate, or check its timestamps.`;
    case 'asked-to-play':
      return "RTMP playback isn't supported. Viewers open the HLS playback URL.";
    case 'closed':
      return 'The encoder closed its connection without ending the stream.';
    case 'connection-broke':
      return `The encoder's connection broke (${cause.reason}).`;
    case 'no-media':
      // With an ordinary space: encoders print it, and not every terminal knows another.
      return `${cause.isUnusable ? 'Nothing that can be played' : 'No media'} arrived for ${cause.forMs / 1000} s.`;
    case 'ingest-closing':
      return 'The ingest is closing.';
    case 'protocol':
      return cause.fault;
    case 'internal':
      return 'The ingest failed.';
    default:
      return assertNever(cause);
  }
}

/** For the stream's owner: what happened to a refused encoder, as the rest of a sentence that begins with its name, and why. */
export function describeRefusalForOwner(reason: RefusalReason): { what: string; why: string } {
  switch (reason.code) {
    case 'wrong-key':
      return { what: 'used a wrong stream key', why: "Paste this stream's key into it." };
    case 'old-key':
      return { what: 'used an old stream key', why: 'This stream has a new key: paste it into the encoder.' };
    case 'suspended':
      return { what: 'was refused', why: 'This stream is suspended.' };
    case 'stopped':
      return { what: 'was refused', why: 'You stopped this stream.' };
    case 'codec': {
      const isFeature = Object.values<string>(enhancedFeatures).includes(reason.name);
      const inObs = isFeature ? '' : ' In OBS, choose both encoders in Settings → Output.';
      return { what: 'was refused', why: `${describeLossCause(reason)}${inObs}` };
    }
    case 'in-use':
      return { what: 'was disconnected', why: describeLossCause(reason) };
    case 'wrong-app':
    case 'rtmps':
    case 'certificate':
    case 'restless':
    case 'store-unreadable':
      return { what: 'was refused', why: describeLossCause(reason) };
    default:
      return assertNever(reason);
  }
}

/** An unsupported feature isn't solved by another codec. */
function describeUnsupported({ track, name }: Extract<LossCause, { code: 'codec' }>): string {
  switch (name) {
    case enhancedFeatures.multitrack:
      return `Only one ${track} track is supported. Turn off the others in the encoder's settings.`;
    case enhancedFeatures.modEx:
      return `${name}, an extension of Enhanced RTMP, isn't supported. Turn it off in the encoder's settings.`;
    default:
      return `${name} ${track} isn't supported. Choose ${track === 'video' ? 'H.264' : 'AAC'} in the encoder's settings.`;
  }
}
