package extractive

import "testing"

func TestMemoFindsOnce(t *testing.T) {
	var m memo[int, int]
	found := 0
	var double func(int) int
	double = func(n int) int {
		found++
		if n > 0 {
			return m.get(n-1, double) + 2 // asks for another key
		}
		return 0
	}
	for range 2 {
		if got := m.get(3, double); got != 6 {
			t.Errorf("got %d, want 6", got)
		}
	}
	if found != 4 {
		t.Errorf("looked %d times for 4 keys", found)
	}
}
