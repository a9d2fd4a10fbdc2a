// Commits a pair of vertices for each number that it reads, in Go; see committing.py. The driver's errors do not tell a
// refusal from a lost connection, so the outcome of a commit that fails is unknown.
//
// usage: committing URL NAME
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strconv"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

func commit(g *gremlingo.GraphTraversalSource, name string, number int32) error {
	tx := g.Tx()
	inside, err := tx.Begin()
	if err != nil {
		return err
	}
	for i := 0; i < 2; i++ {
		if err := <-inside.AddV("pair").Property("of", name).Property("i", number).Iterate(); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func main() {
	url, name := os.Args[1], os.Args[2]
	connection, err := gremlingo.NewDriverRemoteConnection(url,
		func(settings *gremlingo.DriverRemoteConnectionSettings) {
			settings.LogVerbosity = gremlingo.Off
		})
	if err != nil {
		log.Fatal(err)
	}
	g := gremlingo.Traversal_().With(connection)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		number, err := strconv.Atoi(lines.Text())
		if err != nil {
			log.Fatal(err)
		}
		if commit(g, name, int32(number)) == nil {
			fmt.Println("committed")
		} else {
			fmt.Println("unknown")
		}
	}
}
