#!/usr/bin/env node
// Stands in for curl on machines that have none: the options that the pages use, and no more.
import { readFileSync, writeFileSync } from 'node:fs';

const request = { method: undefined, headers: new Headers({ accept: '*/*' }), body: undefined };
let [url, output, head, format] = ['', '/dev/stdout', '', ''];

const options = {
  '-s': () => undefined,
  '-u': (login) => request.headers.set('authorization', `Basic ${Buffer.from(login()).toString('base64')}`),
  '-H': (header) => request.headers.append(...header().split(/:\s*(.*)/s, 2)),
  '-X': (method) => {
    request.method = method();
  },
  '-d': (data) => send(data()),
  '--data-binary': (data) => send(data()),
  '-o': (path) => {
    output = path();
  },
  '-D': (path) => {
    head = path();
  },
  '-w': (text) => {
    format = text();
  },
};

function send(data) {
  request.method ??= 'POST';
  request.body = data.startsWith('@') ? readFileSync(data.slice(1)) : data;
}

const args = process.argv.slice(2);
while (args.length > 0) {
  const arg = args.shift();
  if (!arg.startsWith('-')) url = arg;
  else if (arg in options) options[arg](() => args.shift());
  else throw new Error(`the stand-in for curl does not know ${arg}`);
}

const answer = await fetch(url, request);
const write = (path, data) =>
  /^(-|\/dev\/stdout)$/.test(path) ? process.stdout.write(data) : writeFileSync(path, data);
if (head !== '') write(head, [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`).join(''));
write(output, Buffer.from(await answer.arrayBuffer()));
process.stdout.write(format.replaceAll('%{http_code}', answer.status).replaceAll('\\n', '\n'));
