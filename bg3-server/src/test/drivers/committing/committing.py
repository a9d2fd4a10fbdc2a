# Commits a pair of vertices for each number that it reads, in Python.
#
# usage: committing.py URL NAME
#
# Prints one line for each number: 'committed'; 'refused' where the server said so before or at the commit; 'unknown' where the
# connection broke.

import sys

from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.protocol import GremlinServerError
from gremlin_python.process.anonymous_traversal import traversal

url, name = sys.argv[1:]
g = traversal().with_remote(DriverRemoteConnection(url, 'g'))


def commit(number):
    try:
        tx = g.tx()
        inside = tx.begin()
        for _ in range(2):
            inside.add_v('pair').property('of', name).property('i', number).iterate()
        tx.commit().all().result()
        return 'committed'
    except GremlinServerError:
        return 'refused'
    except Exception:
        return 'unknown'


for line in sys.stdin:
    print(commit(int(line)), flush=True)
