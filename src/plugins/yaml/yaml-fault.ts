import { WordedError } from '../../kit/worded.ts';

/** What is wrong with a document, as the rest of a sentence that begins with its file. Never quotes what is in it. */
export class YamlFault extends WordedError {
  override readonly name = 'YamlFault';
}
