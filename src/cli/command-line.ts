import { Command, CommanderError, Option } from 'commander';
import { createDataFolderOption, requireSecretsLocation } from '../headless/common-options.ts';
import { issueBrowserAddress } from '../service/lib/browser-addresses.ts';
import { escapeInvisible } from '../service/lib/escape-invisible.ts';
import { version } from '../service/lib/version.ts';
import { ServiceError } from '../shared/errors.ts';
import { describeError } from '../shared/words/error-words.ts';
import { CommandFailure } from './command-failure.ts';
import { inspectFile } from './inspect/inspect-file.ts';
import { formatInspectedJson, formatInspectedLine } from './inspect/inspected-line.ts';
import { createKey, formatKeyTable, listKeys, revokeKey } from './key-commands.ts';

/** The streams that a command prints to. */
export interface Terminal {
  print(text: string): void;
  printError(text: string): void;
}

interface CommonOptions {
  dataDir: string;
}

/** Runs one `tallylight` command and returns its exit status: 0, or another one after a sentence on stderr. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Help and version end this way too. Errors from commander have already been printed.
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof ServiceError || error instanceof CommandFailure)) throw error;
    terminal.printError(`tallylight: ${error instanceof ServiceError ? describeError(error) : error.message}\n`);
    return error instanceof CommandFailure ? error.exitStatus : 1;
  }
}

function createProgram(terminal: Terminal): Command {
  // Subcommands inherit settings made before they are created.
  const program = new Command('tallylight')
    .description(
      'Manages API keys, also while Tallylight is running, opens its screens in more browsers, and shows the content of media files.',
    )
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: terminal.print, writeErr: terminal.printError });
  const keys = program.command('keys').description('API keys for the public interface');
  withKeyOptions(keys.command('create'))
    .description('create an API key and print it; it is shown only this once')
    .argument('<name>', 'what the key is for; streams created with it show this name')
    .action(async (name: string, { dataDir }: CommonOptions) => terminal.print(`${await createKey(dataDir, name)}\n`));
  withKeyOptions(keys.command('list'))
    .description('list the API keys, newest first')
    .option('--json', 'print a JSON array instead of a table')
    .action(async ({ dataDir, json }: CommonOptions & { json?: boolean }) => {
      const list = await listKeys(dataDir);
      terminal.print(json === true ? `${JSON.stringify(list)}\n` : formatKeyTable(list));
    });
  withKeyOptions(keys.command('revoke'))
    .description('revoke an API key')
    .argument('<name-or-id>', 'the name of the key, or its id if several have the name')
    .action(async (nameOrId: string, { dataDir }: CommonOptions) => {
      const { name, id } = await revokeKey(dataDir, nameOrId);
      terminal.print(`Revoked "${escapeInvisible(name)}" (${id}).\n`);
    });
  withDataFolder(program.command('address'))
    .description('print an address that opens the screens of the running service in one more browser')
    .action(async ({ dataDir }: CommonOptions) => terminal.print(`${await issueBrowserAddress(dataDir)}\n`));
  program
    .command('inspect')
    .description('print the content of a media file: an FLV, an RTMP capture or an fMP4 segment')
    .argument('<file>', 'an RTMP capture has the bytes that a publisher sent, starting with its handshake')
    .option('--init <file>', 'the init segment of the fMP4 segment')
    .option('--json', 'print one JSON object per line')
    .action(async (file: string, { init, json }: { init?: string; json?: boolean }) => {
      const format = json === true ? formatInspectedJson : formatInspectedLine;
      for await (const line of inspectFile(file, init)) terminal.print(`${format(line)}\n`);
    });
  return program;
}

function withKeyOptions(command: Command): Command {
  return withDataFolder(command).addOption(
    new Option('--secrets <location>', 'as for serve; API keys need no secrets').argParser(requireSecretsLocation),
  );
}

function withDataFolder(command: Command): Command {
  return command.addOption(createDataFolderOption('the data folder of the service'));
}
