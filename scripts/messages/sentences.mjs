// Sentences of the service that pages say in their language, such as why a call is refused: what `worded` or `phrase` is put before.
import { parseSync, traverse } from '@babel/core';

/** The templates of the sentences in a file of the service, as `worded` and `phrase` make them. */
export function sentencesIn(source, path) {
  if (!/\b(worded|phrase)`/.test(source)) return [];
  const found = [];
  const tree = parseSync(source, {
    filename: path,
    babelrc: false,
    configFile: false,
    parserOpts: { plugins: ['typescript'] },
  });
  traverse(tree, {
    TaggedTemplateExpression({ node: { tag, quasi } }) {
      if (tag.name === 'worded' || tag.name === 'phrase') found.push(templateOf(quasi, path));
    },
  });
  return found;
}

function templateOf({ quasis, expressions }, path) {
  return quasis
    .map(({ value }, place) => {
      const expression = expressions[place];
      if (expression === undefined) return value.cooked;
      const [property] = expression.properties ?? [];
      if (property === undefined)
        throw new Error(`${path}: a value of a sentence has no name: write \${{ name: value }}`);
      return `${value.cooked}{${property.key.name}}`;
    })
    .join('');
}
