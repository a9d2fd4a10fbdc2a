// Commits a pair of vertices for each number that it reads, in JavaScript; see committing.py.
//
// usage: node committing.js URL NAME

const readline = require('readline');
const gremlin = require('gremlin');
const { DriverRemoteConnection } = gremlin.driver;
const traversal = gremlin.process.AnonymousTraversalSource.traversal;

const [url, name] = process.argv.slice(2);
const g = traversal().withRemote(new DriverRemoteConnection(url, { traversalSource: 'g' }));

async function commit(number) {
  try {
    const tx = g.tx();
    const inside = await tx.begin();
    for (let i = 0; i < 2; i++) {
      await inside.addV('pair').property('of', name).property('i', number).iterate();
    }
    await tx.commit();
    return 'committed';
  } catch (e) {
    return e.statusCode ? 'refused' : 'unknown';
  }
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    console.log(await commit(Number(line)));
  }
  process.exit(0); // without a farewell to a server that is gone
}

process.on('uncaughtException', () => process.exit(0)); // the driver throws when its connection breaks
main();
