"""An honest client in Python: a reader and a writer, each with a connection of its own, at the pace of people.

usage: honest.py URL READER WRITER PASSWORD-SUFFIX

READER and WRITER are users, or - where there are none. For each request it prints 'WHAT START-MILLIS MICROS OUTCOME NUMBER';
the outcome is ok, wrong, a status of the server, or lost. It ends when its standard input ends.
"""

import sys
import threading
import time

from gremlin_python.driver.client import Client
from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.protocol import GremlinServerError
from gremlin_python.process.anonymous_traversal import traversal
from gremlin_python.process.traversal import T

PAUSE_SECONDS = 0.025
NAME = 'python'

url, reader, writer, suffix = sys.argv[1:]
stopped = threading.Event()
printing = threading.Lock()


def login(user):
    return {} if user == '-' else {'username': user, 'password': user + suffix}


def ask(what, number, request):
    start, began = time.time(), time.perf_counter()
    try:
        outcome = 'ok' if request() else 'wrong'
    except GremlinServerError as e:
        outcome = str(e.status_code)
    except Exception as e:  # the connection is gone
        print(repr(e), file=sys.stderr)
        outcome = 'lost'
    micros = int((time.perf_counter() - began) * 1e6)
    with printing:
        print(what, int(start * 1000), micros, outcome, number, flush=True)
    time.sleep(PAUSE_SECONDS)


def read():
    connection = DriverRemoteConnection(url, 'g', pool_size=1, **login(reader))
    client = Client(url, 'g', pool_size=1, **login(reader))
    g = traversal().with_remote(connection)
    people = g.V().has_label('person').limit(50).project('id', 'n').by(T.id).by('n').to_list()
    number = 0
    while not stopped.is_set():
        person = people[number % len(people)]
        requests = [
            lambda: g.V(person['id']).values('n').next() == person['n'],
            lambda: len(g.V(person['id']).out('knows').limit(10).values('n').to_list()) > 0,
            lambda: client.submit(f"g.V({person['id']}).values('n')").all().result() == [person['n']],
        ]
        ask('read', number, requests[number % len(requests)])
        number += 1
    client.close()
    connection.close()


def write():
    connection = DriverRemoteConnection(url, 'g', pool_size=1, **login(writer))
    g = traversal().with_remote(connection)
    number = 0
    while not stopped.is_set():
        ask('write', number, lambda: g.add_v('honest').property('by', NAME).property('i', number).iterate() is not None)
        number += 1
    connection.close()


threads = [threading.Thread(target=read), threading.Thread(target=write)]
for thread in threads:
    thread.start()
sys.stdin.read()
stopped.set()
for thread in threads:
    thread.join()
