/** The address of an X display: a socket of this computer, or a host and its port. */
export interface XAddress {
  /** Undefined: on this computer. */
  host: string | undefined;
  display: number;
  screen: number;
}

/** Reads a display's name like `:0`, `:0.1`, `unix:0` or `localhost:10.0` (X(7), "Display names"). */
export function parseDisplay(name: string): XAddress | undefined {
  const { host, display, screen } = /^(?<host>[^:/]*):(?<display>\d+)(?:\.(?<screen>\d+))?$/.exec(name)?.groups ?? {};
  if (display === undefined) return undefined;
  const isLocal = host === undefined || host === '' || host === 'unix';
  return { host: isLocal ? undefined : host, display: Number(display), screen: Number(screen ?? 0) };
}

/** The protocol that every display manager sets up. */
const cookieName = 'MIT-MAGIC-COOKIE-1';

/** Entries for this family are for every address. */
const wildFamily = 65_535;

/**
 * The cookie for a display in an authority file (Xau(3)): entries of a family in 2 bytes, big-endian, then the address, the display's
 * number as text, the protocol's name and its data, each with its length in 2 bytes. An entry of this computer comes first.
 */
export function findCookie(file: Buffer, display: number, hostname: string): Buffer | undefined {
  let other: Buffer | undefined;
  let at = 0;
  const readField = (): Buffer => {
    const length = file.readUInt16BE(at);
    at += 2 + length;
    if (at > file.length) throw new RangeError('The authority file is truncated.');
    return file.subarray(at - length, at);
  };
  try {
    while (at < file.length) {
      const family = file.readUInt16BE(at);
      at += 2;
      const [address = '', number, name, data] = [readField(), readField(), readField(), readField()].map((field) =>
        field.toString('latin1'),
      );
      if (name !== cookieName || data === undefined || (number !== '' && number !== String(display))) continue;
      if (family === wildFamily || address === hostname) return Buffer.from(data, 'latin1');
      other ??= Buffer.from(data, 'latin1');
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return other;
}

/** The words of a client that connects (X Window System Protocol, version 11, section 8), with a cookie if there is one. */
export function formatSetupRequest(cookie: Buffer | undefined): Buffer {
  const name = Buffer.from(cookie === undefined ? '' : cookieName, 'latin1');
  const data = cookie ?? Buffer.alloc(0);
  const head = Buffer.alloc(12);
  // Little-endian, protocol 11.0.
  head.writeUInt8(0x6c, 0);
  head.writeUInt16LE(11, 2);
  head.writeUInt16LE(name.length, 6);
  head.writeUInt16LE(data.length, 8);
  return Buffer.concat([head, pad4(name), pad4(data)]);
}

/** Bytes up to the next multiple of four. */
function pad4(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
}

/** The root window of a screen, and its size in pixels. */
export interface XScreen {
  root: number;
  width: number;
  height: number;
}

/**
 * Reads the server's answer to a connection (section 8): the screens are behind the vendor's name and the pixmap formats.
 *
 * @throws {Error} if the server refuses, or has no such screen
 */
export function readSetup(answer: Buffer, screen: number): XScreen {
  if (answer[0] !== 1) throw new Error(`The X server refused: ${answer.toString('latin1', 8, 8 + (answer[1] ?? 0))}`);
  const vendorBytes = (answer.readUInt16LE(24) + 3) & ~3;
  let at = 40 + vendorBytes + answer.readUInt8(29) * 8;
  for (let index = 0; index < answer.readUInt8(28); index += 1) {
    if (index === screen) {
      return { root: answer.readUInt32LE(at), width: answer.readUInt16LE(at + 20), height: answer.readUInt16LE(at + 22) };
    }
    const depths = answer.readUInt8(at + 39);
    at += 40;
    for (let depth = 0; depth < depths; depth += 1) at += 8 + answer.readUInt16LE(at + 2) * 24;
  }
  throw new Error(`The X server has no screen ${screen}.`);
}
