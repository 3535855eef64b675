//go:build !linux

package main

import "os"

// peakMemory is 0: other systems count in other units, or not at all.
func peakMemory(*os.ProcessState) int64 { return 0 }
