//go:build race

package publish

const raceDetector = true
