// For mongosh, on the machine of the first member: begins the replica set, and makes the user that Muster is known by. Does nothing twice.
const password = fs.readFileSync('/run/secrets/mongodb-password', 'utf8').trim();
const members = ['mongo1', 'mongo2', 'mongo3'].map((host, _id) => ({ _id, host: `${host}:27017` }));

function isKnown() {
  return db.auth('muster', password).ok === 1;
}

let known = false;
try {
  known = isKnown();
} catch {
  // There is no such user yet.
}

if (!known) {
  try {
    rs.initiate({ _id: 'rs0', members });
  } catch (error) {
    if (error.codeName !== 'AlreadyInitialized') throw error;
  }
  // Only the primary makes users; when this member becomes none, another attempt is made.
  for (let attempt = 0; !db.hello().isWritablePrimary; attempt++) {
    if (attempt === 60) throw new Error('the first member did not become the primary in a minute');
    sleep(1_000);
  }
  const roles = [
    { role: 'readWrite', db: 'muster' },
    { role: 'dbAdmin', db: 'muster' },
    { role: 'clusterMonitor', db: 'admin' },
  ];
  db.createUser({ user: 'muster', pwd: password, roles });
}
