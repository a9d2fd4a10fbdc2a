// First steps with gremlin-javascript: npm install gremlin, then node first-steps.js [URL]
//
// Everything that it adds has the label 'explorer' or 'met'; it drops all of it at the end.

const gremlin = require('gremlin');
const { DriverRemoteConnection } = gremlin.driver;
const { statics: __ } = gremlin.process;
const traversal = gremlin.process.AnonymousTraversalSource.traversal;

const url = process.argv[2] || 'ws://127.0.0.1:8182/gremlin';

/** Runs work in a transaction, and again after a conflict. Resolves to the result of work. */
async function inTransaction(g, work, attempts = 10) {
  for (let attempt = 1; ; attempt++) {
    const tx = g.tx();
    let committing = false;
    try {
      const result = await work(await tx.begin());
      committing = true;
      await tx.commit(); // ends the session, whether it succeeds or not
      return result;
    } catch (e) {
      if (!committing) {
        await tx.rollback();
      }
      if (e.statusCode !== 596 || attempt === attempts) {
        throw e;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
  }
}

async function main() {
  const connection = new DriverRemoteConnection(url, { traversalSource: 'g' });
  const g = traversal().withRemote(connection);
  const explorers = async (source) => (await source.V().hasLabel('explorer').count().next()).value;

  console.log('add');
  const ada = (await g.addV('explorer').property('name', 'Ada').next()).value;
  const bob = (await g.addV('explorer').property('name', 'Bob').next()).value;
  await g.V(ada).addE('met').to(__.V(bob)).property('since', 1833).iterate();

  console.log('query');
  console.log(await g.V().has('explorer', 'name', 'Ada').out('met').values('name').toList());

  console.log('a transaction, visible outside after its commit');
  let tx = g.tx();
  let inside = await tx.begin();
  const charles = (await inside.addV('explorer').property('name', 'Charles').next()).value;
  console.log('inside', await explorers(inside), 'outside', await explorers(g));
  await tx.commit();
  console.log('outside', await explorers(g));

  console.log('roll back');
  tx = g.tx();
  inside = await tx.begin();
  await inside.V().hasLabel('explorer').drop().iterate();
  await tx.rollback();
  console.log('still', await explorers(g));

  console.log('an error');
  await g.V(ada).values('name').fail('on purpose').iterate()
    .catch((e) => console.log(e.statusCode, e.statusMessage));

  console.log('a time-out');
  await g.with_('evaluationTimeout', 200).inject(1).repeat(__.identity()).until(__.is(-1)).iterate()
    .catch((e) => console.log(e.statusCode));

  console.log('a conflict');
  const one = g.tx();
  const two = g.tx();
  const first = await one.begin();
  const second = await two.begin();
  await first.V(ada).property('age', (await first.V(ada).count().next()).value).iterate();
  await second.V(ada).property('age', (await second.V(ada).count().next()).value + 1).iterate();
  await one.commit();
  await two.commit().catch((e) => console.log(e.statusCode, e.statusMessage));

  console.log('the same conflict, with retries');
  let attempts = 0;
  const age = await inTransaction(g, async (gtx) => {
    attempts++;
    const older = (await gtx.V(ada).values('age').next()).value + 1;
    if (attempts === 1) {
      await g.V(ada).property('age', 36).iterate(); // another transaction commits first
    }
    await gtx.V(ada).property('age', older).iterate();
    return older;
  });
  console.log('age', age, 'attempts', attempts);

  console.log('drop everything that was added');
  await g.V(ada, bob, charles).drop().iterate();
  console.log('left', (await g.V(ada, bob, charles).count().next()).value);
  await connection.close();
}

main().catch((e) => {
  console.error(e);
  process.exitCode = 1;
});
