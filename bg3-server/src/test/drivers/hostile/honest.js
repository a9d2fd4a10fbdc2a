// An honest client in JavaScript: a reader and a writer, each with a connection of its own, at the pace of people.
//
// usage: node honest.js URL READER WRITER PASSWORD-SUFFIX
//
// READER and WRITER are users, or - where there are none. For each request it prints 'WHAT START-MILLIS MICROS OUTCOME NUMBER';
// the outcome is ok, wrong, a status of the server, or lost. It ends when its standard input ends.

const gremlin = require('gremlin');
const { Client, DriverRemoteConnection } = gremlin.driver;
const { t } = gremlin.process;
const traversal = gremlin.process.AnonymousTraversalSource.traversal;

const PAUSE_MILLIS = 25;
const NAME = 'javascript';

const [url, reader, writer, suffix] = process.argv.slice(2);
let stopped = false;
process.stdin.on('end', () => { stopped = true; });
process.stdin.resume();

function options(user) {
  const login = user === '-' ? {}
    : { authenticator: new gremlin.driver.auth.PlainTextSaslAuthenticator(user, user + suffix) };
  return { traversalSource: 'g', ...login };
}

async function ask(what, number, request) {
  const start = Date.now();
  const began = process.hrtime.bigint();
  let outcome;
  try {
    outcome = await request() ? 'ok' : 'wrong';
  } catch (e) {
    if (!e.statusCode) {
      console.error(e);
    }
    outcome = e.statusCode ? String(e.statusCode) : 'lost';
  }
  const micros = (process.hrtime.bigint() - began) / 1000n;
  console.log(`${what} ${start} ${micros} ${outcome} ${number}`);
  await new Promise((resolve) => { setTimeout(resolve, PAUSE_MILLIS); });
}

async function read() {
  const connection = new DriverRemoteConnection(url, options(reader));
  const client = new Client(url, options(reader));
  const g = traversal().withRemote(connection);
  const people = await g.V().hasLabel('person').limit(50).project('id', 'n').by(t.id).by('n').toList();
  for (let number = 0; !stopped; number++) {
    const id = people[number % people.length].get('id');
    const n = people[number % people.length].get('n');
    const requests = [
      async () => (await g.V(id).values('n').next()).value === n,
      async () => (await g.V(id).out('knows').limit(10).values('n').toList()).length > 0,
      async () => (await client.submit(`g.V(${id}).values('n')`)).first() === n,
    ];
    await ask('read', number, requests[number % requests.length]);
  }
  await client.close();
  await connection.close();
}

async function write() {
  const connection = new DriverRemoteConnection(url, options(writer));
  const g = traversal().withRemote(connection);
  for (let number = 0; !stopped; number++) {
    await ask('write', number, async () => {
      await g.addV('honest').property('by', NAME).property('i', number).iterate();
      return true;
    });
  }
  await connection.close();
}

Promise.all([read(), write()]).catch((e) => {
  console.error(e);
  process.exit(1);
});
