package gremlingo

import (
	"fmt"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

// getVertexProperties looks up in Gremlin what the suite looks up by a script in Groovy, which a BG3 server does not run:
// the vertex properties of a graph, each under the name of its owner, its key and its value.
func getVertexProperties(g *gremlingo.GraphTraversalSource) map[string]*gremlingo.VertexProperty {
	found := make(map[string]*gremlingo.VertexProperty)
	rows, err := g.V().Properties().Project("owner", "property").
		By(gremlingo.T__.Element().Values("name")).By(gremlingo.T__.Identity()).ToList()
	if err != nil {
		fmt.Println("cannot look up vertex properties:", err)
		return nil
	}
	for _, row := range rows {
		pair := row.GetInterface().(map[interface{}]interface{})
		property := pair["property"].(*gremlingo.VertexProperty)
		value := fmt.Sprint(property.Value)
		switch property.Value.(type) {
		case int32:
			value = "d[" + value + "].i"
		case float32:
			value = "d[" + value + "].f"
		case float64:
			value = "d[" + value + "].d"
		}
		found[fmt.Sprint(pair["owner"], "-", property.Key, "->", value)] = property
	}
	return found
}
