// Mistakes that `go test -race` with GOEXPERIMENT=cgocheck2 must report: were one of the two checks off, that run would prove
// nothing. The argument names the mistake; without a report the program ends well.
package main

/*
#include <stdlib.h>
*/
import "C"

import (
	"os"
	"sync"
	"unsafe"
)

// race counts in two goroutines without a lock.
func race() int {
	count := 0
	var both sync.WaitGroup
	both.Add(2)
	for range 2 {
		go func() {
			defer both.Done()
			count++
		}()
	}
	both.Wait()
	return count
}

// keep leaves a Go pointer in memory of C, where the collector does not see it.
func keep() {
	place := (**int)(C.malloc(C.size_t(unsafe.Sizeof(uintptr(0)))))
	*place = new(int)
	C.free(unsafe.Pointer(place))
}

func main() {
	switch os.Args[1] {
	case "race":
		println(race())
	case "pointer":
		keep()
	default:
		os.Exit(2)
	}
}
