// First steps with gremlin-go:
//
//	go mod init first-steps && go get github.com/apache/tinkerpop/gremlin-go/v3@v3.8.1 && go run first_steps.go [URL]
//
// Everything that it adds has the label "explorer" or "met"; it drops all of it at the end.
package main

import (
	"fmt"
	"log"
	"math/rand"
	"os"
	"strings"
	"time"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

var anonymous = gremlingo.T__

func explorers(g *gremlingo.GraphTraversalSource) interface{} {
	result, err := g.V().HasLabel("explorer").Count().Next()
	check(err)
	return result.GetInterface()
}

// The first line of an error. The driver reads one byte of the status: 595 is 83, 596 is 84, 598 is 86.
func short(err error) string {
	text, _, _ := strings.Cut(err.Error(), " attributes:")
	if len(text) > 120 {
		text = text[:120] + "..."
	}
	return text
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// inTransaction runs work in a transaction, and again after a conflict.
func inTransaction(g *gremlingo.GraphTraversalSource, work func(*gremlingo.GraphTraversalSource) error) error {
	const attempts = 10
	for attempt := 1; ; attempt++ {
		tx := g.Tx()
		inside, err := tx.Begin()
		if err == nil {
			err = work(inside)
		}
		if err == nil {
			err = tx.Commit()
		}
		if err == nil {
			return nil
		}
		if tx.IsOpen() {
			_ = tx.Rollback()
		}
		if attempt == attempts || !strings.Contains(err.Error(), "transaction conflict") {
			return err
		}
		time.Sleep(time.Duration(rand.Int63n(int64(10*time.Millisecond) << attempt)))
	}
}

func main() {
	url := "ws://127.0.0.1:8182/gremlin"
	if len(os.Args) > 1 {
		url = os.Args[1]
	}
	connection, err := gremlingo.NewDriverRemoteConnection(url,
		func(settings *gremlingo.DriverRemoteConnectionSettings) {
			settings.LogVerbosity = gremlingo.Off
		})
	check(err)
	defer connection.Close()
	g := gremlingo.Traversal_().With(connection)

	fmt.Println("add")
	added, err := g.AddV("explorer").Property("name", "Ada").Next()
	check(err)
	ada, err := added.GetVertex()
	check(err)
	added, err = g.AddV("explorer").Property("name", "Bob").Next()
	check(err)
	bob, err := added.GetVertex()
	check(err)
	check(<-g.V(ada.Id).AddE("met").To(anonymous.V(bob.Id)).Property("since", 1833).Iterate())

	fmt.Println("query")
	names, err := g.V().Has("explorer", "name", "Ada").Out("met").Values("name").ToList()
	check(err)
	fmt.Println(names)

	fmt.Println("a transaction, visible outside after its commit")
	tx := g.Tx()
	inside, err := tx.Begin()
	check(err)
	added, err = inside.AddV("explorer").Property("name", "Charles").Next()
	check(err)
	charles, err := added.GetVertex()
	check(err)
	fmt.Println("inside", explorers(inside), "outside", explorers(g))
	check(tx.Commit())
	fmt.Println("outside", explorers(g))

	fmt.Println("roll back")
	tx = g.Tx()
	inside, err = tx.Begin()
	check(err)
	check(<-inside.V().HasLabel("explorer").Drop().Iterate())
	check(tx.Rollback())
	fmt.Println("still", explorers(g))

	fmt.Println("an error")
	fmt.Println(short(<-g.V(ada.Id).Values("name").Fail("on purpose").Iterate()))

	fmt.Println("a time-out")
	fmt.Println(short(<-g.With("evaluationTimeout", 200).Inject(1).
		Repeat(anonymous.Identity()).Until(anonymous.Is(-1)).Iterate()))

	fmt.Println("a conflict")
	one, two := g.Tx(), g.Tx()
	first, err := one.Begin()
	check(err)
	second, err := two.Begin()
	check(err)
	explorers(first)
	explorers(second)
	check(<-first.V(ada.Id).Property("age", int32(1)).Iterate())
	check(<-second.V(ada.Id).Property("age", int32(2)).Iterate())
	check(one.Commit())
	fmt.Println(short(two.Commit()))

	fmt.Println("the same conflict, with retries")
	attempts := 0
	var age int32
	check(inTransaction(g, func(inside *gremlingo.GraphTraversalSource) error {
		attempts++
		result, err := inside.V(ada.Id).Values("age").Next()
		if err != nil {
			return err
		}
		age, err = result.GetInt32()
		if err != nil {
			return err
		}
		age++
		if attempts == 1 { // another transaction commits first
			check(<-g.V(ada.Id).Property("age", int32(36)).Iterate())
		}
		return <-inside.V(ada.Id).Property("age", age).Iterate()
	}))
	fmt.Println("age", age, "attempts", attempts)

	fmt.Println("drop everything that was added")
	check(<-g.V(ada.Id, bob.Id, charles.Id).Drop().Iterate())
	left, err := g.V(ada.Id, bob.Id, charles.Id).Count().Next()
	check(err)
	fmt.Println("left", left.GetInterface())
}
