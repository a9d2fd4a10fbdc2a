// First steps with gremlin-javascript: npm install gremlin, then node first-steps.js [URL]
//
// All that it adds has the label 'explorer' or 'met', and it drops what it added.

const gremlin = require('gremlin');
const { DriverRemoteConnection } = gremlin.driver;
const { statics: __ } = gremlin.process;
const traversal = gremlin.process.AnonymousTraversalSource.traversal;

const url = process.argv[2] || 'ws://127.0.0.1:8182/gremlin';

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

  console.log('transaction: seen outside when it is committed');
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

  console.log('drop what was added');
  await g.V(ada, bob, charles).drop().iterate();
  console.log('left', (await g.V(ada, bob, charles).count().next()).value);
  await connection.close();
}

main().catch((e) => {
  console.error(e);
  process.exitCode = 1;
});
