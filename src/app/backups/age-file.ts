import { readFile } from 'node:fs/promises';
import type { Decrypter, Encrypter } from 'age-encryption';
import { AppError } from '../../ports/index.ts';

/** Part of the header of our files, ignored by every program that reads age: it distinguishes ours from others. */
const MARK = 'muster-backup';
const START = 'age-encryption.org/v1\n';
const MARKED = `\n-> ${MARK}\n`;

/** Encrypts bytes for holders of the identity of one of the recipients, in the format of age (age-encryption.org/v1). */
export async function* ageBytes(
  chunks: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Uint8Array> {
  const { Encrypter: Age, Stanza } = await import('age-encryption');
  const encrypter = new Age();
  encrypter.addRecipient({ wrapFileKey: () => [new Stanza([MARK], new Uint8Array())] });
  for (const recipient of recipients) addRecipient(encrypter, recipient);
  yield* await encrypter.encrypt(streamOf(chunks));
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient);
  } catch (cause) {
    throw new AppError(
      'invalid_input',
      `${recipient.slice(0, 80)} is not a recipient of age; give the output of "age-keygen -y", age1…`,
      { cause },
    );
  }
}

/** Throws if one of them is not a recipient, before anything is written. */
export async function checkRecipients(recipients: readonly string[]): Promise<void> {
  if (recipients.length === 0) return;
  const { Encrypter: Age } = await import('age-encryption');
  for (const recipient of recipients) addRecipient(new Age(), recipient);
}

/** Whether a file begins as one that age wrote. */
export function beginsAsAge(start: Buffer): boolean {
  return start.subarray(0, START.length).toString('latin1') === START;
}

/** The same, of a backup. */
export function beginsAsAgeBackup(start: Buffer): boolean {
  return beginsAsAge(start) && start.toString('latin1').includes(MARKED);
}

/** Yields the bytes that were encrypted. Throws if no identity is that of a recipient, or if any part of the file was changed. */
export async function* bytesOfAge(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  identities: readonly string[],
): AsyncGenerator<Buffer> {
  if (identities.length === 0) {
    throw new AppError(
      'failed',
      `the backup ${file} is encrypted for recipients; name the file with the identity of one of them by --identity`,
    );
  }
  const { Decrypter: Age } = await import('age-encryption');
  const decrypter: Decrypter = new Age();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    for await (const chunk of await decrypter.decrypt(streamOf(chunks))) yield Buffer.from(chunk);
  } catch (cause) {
    if (cause instanceof Error && cause.message.startsWith('no identity matched')) {
      throw new AppError(
        'failed',
        `none of the given identities opens the backup ${file}; use that of one of the recipients that it was made for`,
        { cause },
      );
    }
    throw new AppError('failed', `the backup ${file} is truncated or was changed; use another copy of it`, { cause });
  }
}

/** The identities in a file as `age-keygen` writes it. Nothing of what it holds is in a message. */
export async function identitiesIn(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new AppError('failed', `the identity ${path} cannot be read (${cause.code ?? 'unknown reason'})`, { cause });
  });
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const found = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const { Decrypter: Age } = await import('age-encryption');
  try {
    for (const identity of found) new Age().addIdentity(identity);
  } catch {
    throw notIdentities(path);
  }
  if (found.length === 0) throw notIdentities(path);
  return found;
}

function notIdentities(path: string): AppError {
  return new AppError(
    'failed',
    `${path} holds no identity of age; give a file as age-keygen writes it, with a line AGE-SECRET-KEY-1…; one that has a passphrase is opened by "age -d" first`,
  );
}

/** A key pair for one run: what is written for it can be read again in that run, and never after. */
export async function passingIdentity(): Promise<{ readonly identity: string; readonly recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
