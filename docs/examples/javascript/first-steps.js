// First steps with gremlin-javascript: npm install gremlin, then node first-steps.js

const gremlin = require('gremlin');
const { DriverRemoteConnection } = gremlin.driver;
const { statics: __, P, t } = gremlin.process;
const traversal = gremlin.process.AnonymousTraversalSource.traversal;

async function main() {
  const connection = new DriverRemoteConnection('ws://127.0.0.1:8182/gremlin', { traversalSource: 'g' });
  const g = traversal().withRemote(connection);
  const people = async (source) => (await source.V().hasLabel('person').count().next()).value;

  console.log('add');
  const ada = (await g.addV('person').property('name', 'Ada').next()).value;
  const bob = (await g.addV('person').property('name', 'Bob').next()).value;
  await g.V(ada).addE('knows').to(__.V(bob)).property('since', 1833).iterate();

  console.log('query');
  console.log(await g.V().has('person', 'name', 'Ada').out('knows').values('name').toList());

  console.log('transaction: seen outside when it is committed');
  let tx = g.tx();
  let inside = await tx.begin();
  await inside.addV('person').property('name', 'Charles').iterate();
  console.log('inside', await people(inside), 'outside', await people(g));
  await tx.commit();
  console.log('outside', await people(g));

  console.log('roll back');
  tx = g.tx();
  inside = await tx.begin();
  await inside.V().hasLabel('person').drop().iterate();
  await tx.rollback();
  console.log('still', await people(g));

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

  await g.V().drop().iterate();
  await connection.close();
}

main().catch((e) => {
  console.error(e);
  process.exitCode = 1;
});
