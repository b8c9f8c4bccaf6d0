// Reads agent cards with the SDK of A2A for Go as it comes: <card file>…
package main

import (
	"fmt"
	"os"

	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
)

func main() {
	for _, name := range os.Args[1:] {
		text, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		card, err := agentcard.DefaultCardParser(text)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Printf("go: %s is read, with %d interfaces\n", card.Name, len(card.SupportedInterfaces))
	}
}
