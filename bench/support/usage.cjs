// Loaded before a measured program: tells, on descriptor 3, what its process used when it ends.
const { writeSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

process.on('exit', () => {
  if (!isMainThread) return;
  const { user, system } = process.cpuUsage();
  writeSync(3, JSON.stringify({ cpuMs: (user + system) / 1000, rssMb: process.resourceUsage().maxRSS / 1024 }));
});
