package wiki

import "time"

// isDateTime reports an ISO 8601 date and time with seconds, an optional fraction, and "Z" or an offset of hours and minutes, whose
// parts all exist in the calendar.
func isDateTime(s string) bool {
	const shape = "dddd-dd-ddTdd:dd:dd"
	if len(s) <= len(shape) || !hasShape(s[:len(shape)], shape) {
		return false
	}
	if !realDate(digits(s[0:4]), digits(s[5:7]), digits(s[8:10])) || digits(s[11:13]) > 23 || digits(s[14:16]) > 59 || digits(s[17:19]) > 59 {
		return false
	}
	rest := s[len(shape):]
	if rest[0] == '.' {
		end := 1
		for end < len(rest) && isDigit(rest[end]) {
			end++
		}
		if end == 1 {
			return false
		}
		rest = rest[end:]
	}
	return rest == "Z" || isOffset(rest)
}

func isOffset(s string) bool {
	return (hasShape(s, "+dd:dd") || hasShape(s, "-dd:dd")) && digits(s[1:3]) <= 23 && digits(s[4:6]) <= 59
}

// hasShape compares s with a pattern in which d stands for a digit.
func hasShape(s, shape string) bool {
	if len(s) != len(shape) {
		return false
	}
	for i := range len(s) {
		if shape[i] == 'd' && !isDigit(s[i]) || shape[i] != 'd' && s[i] != shape[i] {
			return false
		}
	}
	return true
}

func realDate(year, month, day int) bool {
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return date.Year() == year && int(date.Month()) == month && date.Day() == day
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// digits returns the value of a string of digits.
func digits(s string) int {
	n := 0
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n
}
