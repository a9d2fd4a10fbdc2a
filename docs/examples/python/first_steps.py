"""First steps with gremlinpython: pip install gremlinpython, then python first_steps.py [URL]

Everything that it adds has the label 'explorer' or 'met'; it drops all of it at the end.
"""

import random
import sys
import time

from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.protocol import GremlinServerError
from gremlin_python.process.anonymous_traversal import traversal
from gremlin_python.process.graph_traversal import __


def in_transaction(g, work, attempts=10):
    """Runs work in a transaction, and again after a conflict. Returns the result of work."""
    for attempt in range(1, attempts + 1):
        tx = g.tx()
        try:
            result = work(tx.begin())
            tx.commit().all().result()
            return result
        except GremlinServerError as e:
            if tx.is_open():
                tx.rollback().all().result()
            if e.status_code != 596 or attempt == attempts:
                raise
        time.sleep(random.uniform(0, 0.01 * 2 ** attempt))


url = sys.argv[1] if len(sys.argv) > 1 else 'ws://127.0.0.1:8182/gremlin'
connection = DriverRemoteConnection(url, 'g')
g = traversal().with_remote(connection)

print('add')
ada = g.add_v('explorer').property('name', 'Ada').next()
bob = g.add_v('explorer').property('name', 'Bob').next()
g.V(ada).add_e('met').to(__.V(bob)).property('since', 1833).iterate()

print('query')
print(g.V().has('explorer', 'name', 'Ada').out('met').values('name').to_list())
print(g.V(ada).out_e('met').value_map().next())

print('a transaction, visible outside after its commit')
tx = g.tx()
inside = tx.begin()
charles = inside.add_v('explorer').property('name', 'Charles').next()
print('inside', inside.V().has_label('explorer').count().next(), 'outside', g.V().has_label('explorer').count().next())
tx.commit().all().result()  # raises if the server refuses the commit; commit() alone does not
print('outside', g.V().has_label('explorer').count().next())

print('roll back')
tx = g.tx()
inside = tx.begin()
inside.V().has_label('explorer').drop().iterate()
tx.rollback().all().result()
print('still', g.V().has_label('explorer').count().next())

print('an error')
try:
    g.V(ada).values('name').fail('on purpose').iterate()
except GremlinServerError as e:
    print(e.status_code, e.status_message)

print('a time-out')
try:
    g.with_('evaluationTimeout', 200).inject(1).repeat(__.identity()).until(__.is_(-1)).iterate()
except GremlinServerError as e:
    print(e.status_code)

print('a conflict')
one, two = g.tx(), g.tx()
first, second = one.begin(), two.begin()
first.V(ada).property('age', first.V(ada).count().next()).iterate()
second.V(ada).property('age', second.V(ada).count().next() + 1).iterate()
one.commit().all().result()
try:
    two.commit().all().result()
except GremlinServerError as e:
    print(e.status_code, e.status_message)

print('the same conflict, with retries')
attempts = []


def grow_older(gtx):
    attempts.append('attempt')
    age = gtx.V(ada).values('age').next()
    if len(attempts) == 1:
        g.V(ada).property('age', 36).iterate()  # another transaction commits first
    gtx.V(ada).property('age', age + 1).iterate()
    return age + 1


print('age', in_transaction(g, grow_older), 'attempts', len(attempts))

print('drop everything that was added')
g.V(ada, bob, charles).drop().iterate()
print('left', g.V(ada, bob, charles).count().next())
connection.close()
