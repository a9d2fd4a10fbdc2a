"""The elements that gremlin-python's scenarios name, looked up in Gremlin.

The suite looks them up by scripts in Groovy, which a BG3 server does not run. These replace its functions of these names.
"""

from gremlin_python.process.anonymous_traversal import traversal
from gremlin_python.process.graph_traversal import __
from radish import pick


@pick
def create_lookup_e(remote):
    ends = __.project('o', 'l', 'i').by(__.out_v().values('name')).by(__.label()).by(__.in_v().values('name'))
    rows = traversal().with_(remote).E().project('name', 'edge').by(ends).by(__.identity()).to_list()
    return {f"{row['name']['o']}-{row['name']['l']}->{row['name']['i']}": row['edge'] for row in rows}


@pick
def create_lookup_vp(remote):
    rows = (
        traversal().with_(remote).V().properties()
        .project('owner', 'property').by(__.element().values('name')).by(__.identity()).to_list()
    )
    found = {}
    for row in rows:
        value = row['property'].value
        shown = f'd[{value}].i' if isinstance(value, int) else value
        found[f"{row['owner']}-{row['property'].key}->{shown}"] = row['property']
    return found
