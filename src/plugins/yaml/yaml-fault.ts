import { WordedError } from '../../kit/worded.ts';

/** A fault of a document, as the rest of a sentence that begins with its file. Never quotes the content of the document. */
export class YamlFault extends WordedError {
  override readonly name = 'YamlFault';
}
